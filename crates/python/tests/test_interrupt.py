"""Ctrl-C ends long tasks, and other threads' tasks go on."""

import os
import signal
import threading
import time

import nonius as nn
import numpy as np
import pytest


def interrupted(task):
    """Seconds from the signal to its exception."""
    sent = []

    def send():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            task()
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()
        timer.join()


TASKS = {
    "inv": lambda a: nn.linalg.inv(a),
    "eigh": lambda a: nn.linalg.eigh(a + a.T),
    "svd": lambda a: nn.linalg.svd(a),
    "qr": lambda a: nn.linalg.qr(a),
    "matmul": lambda a: np.broadcast_to(a, (40, *a.shape)) @ a,
    "digits": lambda a: nn.linalg.solve(a, a, digits=60),
}


@pytest.mark.parametrize("task", TASKS)
def test_signals_end_dense_tasks(task):
    a = np.random.default_rng(5).standard_normal((900, 900)).astype(nn.qd)
    # Each of them would take many seconds.
    assert interrupted(lambda: TASKS[task](a)) < 5


def test_a_task_of_another_thread_goes_on():
    small = np.random.default_rng(6).standard_normal((250, 250)).astype(nn.qd)
    found = []
    thread = threading.Thread(target=lambda: found.append(nn.linalg.inv(small)))
    thread.start()
    large = np.random.default_rng(7).standard_normal((900, 900)).astype(nn.qd)
    interrupted(lambda: nn.linalg.inv(large))
    thread.join()
    assert abs(found[0] @ small - np.eye(250)).max() < 1e-50


def test_a_task_after_an_interrupted_one_is_whole():
    a = np.random.default_rng(8).standard_normal((900, 900)).astype(nn.qd)
    interrupted(lambda: nn.linalg.inv(a))
    small = a[:50, :50]
    assert abs(nn.linalg.inv(small) @ small - np.eye(50)).max() < 1e-50

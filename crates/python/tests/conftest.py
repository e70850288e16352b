"""What all tests need."""

import signal

import pytest


@pytest.fixture(autouse=True, scope="session")
def interrupts_are_heard():
    """Without job control a shell starts what runs in the background deaf to interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)

"""Arrays in a GPU's memory.

What needs no GPU runs everywhere. The rest runs where there is one, and with CuPy and PyTorch where
they are installed.
"""

import ctypes
import gc
import re
import threading

import nonius as nn
import numpy as np
import pytest

KINDS = {"f64": np.dtype(np.float64), "dd": nn.dd, "td": nn.td, "qd": nn.qd}
LIMBS = {"f64": 1, "dd": 2, "td": 3, "qd": 4}
ROUNDOFF = {"f64": 2.0**-53, "dd": 2.0**-104, "td": 2.0**-156, "qd": 2.0**-208}


def why_no_gpu():
    try:
        nn.cuda.asarray([[1.0]])
    except RuntimeError as error:
        return str(error)
    return None


NO_GPU = why_no_gpu()
on_gpu = pytest.mark.skipif(NO_GPU is not None, reason=NO_GPU or "")
at_every_kind = pytest.mark.parametrize("name", KINDS)


def matrix(name, rows, cols, seed=1):
    """Random numbers with all limbs."""
    rng = np.random.default_rng(seed)
    total = np.zeros((rows, cols), dtype=KINDS[name])
    for limb in range(LIMBS[name]):
        total = total + (rng.standard_normal((rows, cols)) * 2.0 ** (-53 * limb)).astype(KINDS[name])
    return total


def limbs(array):
    """As other libraries see the array."""
    return array if array.dtype == np.float64 else nn.limbs(array)


def same(found, expected):
    """Whether two arrays have the same type, shape and bits."""
    return found.dtype == expected.dtype and (
        found.shape == expected.shape and (limbs(found) == limbs(expected)).all()
    )


def close(found, expected, name, factor):
    """Whether entries agree to so many roundings of the largest."""
    size = abs(expected).max()
    return abs(found - expected).max() <= factor * ROUNDOFF[name] * size


# Without a GPU.


class OnHost:
    """A tensor of the host, as PyTorch has them."""

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        raise AssertionError("nobody asks for the capsule")


class Described:
    """An array that its dictionary describes."""

    def __init__(self, **changes):
        self.memory = np.zeros((4, 4))
        self.__cuda_array_interface__ = {
            "shape": (4, 4),
            "typestr": "<f8",
            "data": (self.memory.ctypes.data, False),
            "version": 3,
        } | changes


def test_memory_of_the_host_is_refused():
    with pytest.raises(ValueError, match="^x: the memory is the host's"):
        nn.cuda.asarray(OnHost())
    # The driver says where memory is.
    message = "^x: the memory is the host's" if NO_GPU is None else re.escape(NO_GPU)
    with pytest.raises(ValueError if NO_GPU is None else RuntimeError, match=message):
        nn.cuda.asarray(Described())


@pytest.mark.parametrize(
    "error, message, changes",
    [
        (TypeError, 'expected float64, found "<f4"', {"typestr": "<f4"}),
        (TypeError, 'expected float64, found ">f8"', {"typestr": ">f8"}),
        (ValueError, "without a mask", {"mask": object()}),
        (ValueError, 'has no "shape"', {"shape": None}),
        (ValueError, "a stride of whole numbers", {"strides": (32, 4)}),
        (ValueError, "a stride of whole numbers", {"strides": (8,)}),
        (ValueError, "stream is 0", {"stream": 0}),
    ],
)
def test_descriptions_are_checked(error, message, changes):
    with pytest.raises(error, match=message):
        nn.cuda.asarray(Described(**changes))


def test_other_devices_are_refused():
    class Elsewhere(OnHost):
        def __dlpack_device__(self):
            return (10, 0)

    with pytest.raises(ValueError, match="found a device of DLPack's kind 10"):
        nn.cuda.asarray(Elsewhere())


def test_arguments_are_checked():
    for dtype in [np.float32, int, nn.mp(128)]:
        with pytest.raises(TypeError, match="float64, dd, td or qd, found"):
            nn.cuda.asarray([[1.0]], dtype=dtype)
    with pytest.raises(TypeError, match="found mp128"):
        nn.cuda.asarray(np.ones((2, 2)).astype(nn.mp(128)))
    with pytest.raises(ValueError, match="expected cuda, cuda:0, cuda:1, …, found cpu"):
        nn.cuda.asarray([[1.0]], device="cpu")
    with pytest.raises(ValueError, match="unknown device"):
        nn.cuda.asarray([[1.0]], device="gpu")
    with pytest.raises(ValueError, match="1 or 2 dimensions, found 3"):
        nn.cuda.asarray(np.zeros((2, 2, 2)))


@pytest.mark.skipif(NO_GPU is None, reason="a GPU")
def test_absence_is_told_as_elsewhere():
    class OnGpu(OnHost):
        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(RuntimeError) as elsewhere:
        nn.linalg.solve(np.eye(2), [1.0, 2.0], device="cuda")
    for x in [np.eye(2), [[1, 2]], OnGpu(), Described(shape=(0, 4), data=(0, False))]:
        with pytest.raises(RuntimeError) as here:
            nn.cuda.asarray(x)
        assert str(here.value) == str(elsewhere.value)


# On a GPU.


@on_gpu
@at_every_kind
def test_copies_go_there_and_back(name):
    for rows, cols in [(1, 1), (5, 3), (70, 33), (0, 3), (3, 0)]:
        a = matrix(name, rows, cols)
        there = nn.cuda.asarray(a)
        assert there.shape == a.shape and there.dtype == a.dtype and there.ndim == 2
        assert there.size == a.size and len(there) == rows and there.device == "cuda:0"
        assert same(there.get(), a) and same(there.T.get(), a.T) and same(there.copy().get(), a)
        assert there.T.T.shape == a.shape and nn.cuda.asarray(there) is there
    vector = matrix(name, 7, 1)[:, 0]
    there = nn.cuda.asarray(vector)
    assert there.shape == (7,) and there.ndim == 1 and same(there.get(), vector)
    assert same(there.T.get(), vector)
    assert repr(there) == f"<nonius.cuda.Array of {name}, shape (7,), on cuda:0>"


@on_gpu
def test_nothing_is_copied_implicitly():
    a = nn.cuda.asarray(np.eye(3))
    for implicit in [np.asarray, np.linalg.det, nn.linalg.det, nn.linalg.eigh, nn.limbs]:
        with pytest.raises(TypeError, match=r"get\(\)"):
            implicit(a)
    for mixed in [lambda: a + np.eye(3), lambda: np.eye(3) @ a, lambda: a * "2"]:
        with pytest.raises(TypeError):
            mixed()
    with pytest.raises(TypeError, match="asarray"):
        nn.linalg.solve(a, np.ones(3))


@on_gpu
@at_every_kind
def test_arithmetic(name):
    a, b = matrix(name, 9, 5), matrix(name, 9, 5, 2)
    x, y = nn.cuda.asarray(a), nn.cuda.asarray(b)
    assert same((x + y).get(), a + b) and same((x - y).get(), a - b)
    assert same((x * y).get(), a * b) and same((x / y).get(), a / b) and same((-x).get(), -a)
    assert same((2 * x).get(), 2 * a) and same((x - 1).get(), a - 1) and same((1 - x).get(), 1 - a)
    assert same((1 / x).get(), 1 / a) and same((x.T + y.T).get(), (a + b).T)
    assert close((x @ y.T).get(), a @ b.T, name, 100) and close((x.T @ y).get(), a.T @ b, name, 100)
    v = nn.cuda.asarray(a[:, 0].copy())
    assert close((x.T @ v).get(), a.T @ a[:, 0], name, 100)
    assert close((v @ x).get(), a[:, 0] @ a, name, 100) and (v @ x).shape == (5,)
    with pytest.raises(ValueError, match="two vectors"):
        v @ v
    with pytest.raises(ValueError, match="expected the shape"):
        x + v
    with pytest.raises(TypeError):
        x + nn.QuadDouble(1) if name != "qd" else x + "1"
    other = nn.cuda.asarray(np.eye(5), dtype=nn.qd if name != "qd" else nn.dd)
    with pytest.raises(TypeError, match="b: expected an array of"):
        x @ other


@on_gpu
@at_every_kind
@pytest.mark.parametrize("n", [1, 2, 17, 64, 150])
def test_systems(name, n):
    a, b = matrix(name, n, n), matrix(name, n, 3, 2)
    definite = a @ a.T / n + np.eye(n).astype(KINDS[name])
    definite = (definite + definite.T) / 2
    for given in [a, definite, a.T]:
        there, right = nn.cuda.asarray(given), nn.cuda.asarray(b)
        x, info = nn.linalg.solve(there, right, info=True)
        known, known_info = nn.linalg.solve(given, b, device="cpu", info=True)
        # Both are backward stable: the difference is within the condition's factor.
        allowed = 50 * n * known_info["condition_estimate"]
        assert isinstance(x, nn.cuda.Array) and x.dtype == KINDS[name]
        assert info["method"] == known_info["method"] and info["device"] == "cuda:0"
        assert 0 <= info["correct_digits"] <= known_info["correct_digits"] + 1
        assert close(x.get(), known, name, allowed)
        assert close(nn.linalg.solve(there.T, right).get(), nn.linalg.solve(given.T, b), name, allowed)
        assert nn.linalg.solve(there, nn.cuda.asarray(b[:, 0].copy())).shape == (n,)
        inverse = nn.linalg.inv(there)
        assert close(inverse.get(), nn.linalg.inv(given, device="cpu"), name, allowed)
        # The operands are what they were.
        assert same(there.get(), given) and same(right.get(), b)


@on_gpu
@at_every_kind
def test_factors(name):
    n = 70
    a = matrix(name, n, n)
    condition = nn.linalg.solve(a, a, device="cpu", info=True)[1]["condition_estimate"]
    there = nn.cuda.asarray(a)
    for found, known in zip(nn.linalg.lu(there), nn.linalg.lu(a, device="cpu")):
        assert close(found.get(), known, name, 100 * n * condition)
    p, lower, upper = nn.linalg.lu(there, p_indices=True)
    assert close(lower.get()[p] @ upper.get(), a, name, 100 * n)
    for m, k in [(n, n), (100, 40), (40, 100)]:
        tall = matrix(name, m, k)
        q, r = nn.linalg.qr(nn.cuda.asarray(tall))
        assert q.shape == (m, min(m, k)) and r.shape == (min(m, k), k)
        assert close(q.get() @ r.get(), tall, name, 100 * m)
        gram = (q.T @ q).get()
        assert close(gram, np.eye(min(m, k)).astype(KINDS[name]), name, 100 * m)
        assert (np.tril(r.get().astype(float), -1) == 0).all()
        assert nn.linalg.qr(nn.cuda.asarray(tall), "r").shape == r.shape
        b = matrix(name, m, 2, 5)
        x = nn.linalg.lstsq(nn.cuda.asarray(tall), nn.cuda.asarray(b)).get()
        known, info = nn.linalg.lstsq(tall, b, device="cpu", info=True)
        assert close(x, known, name, 100 * m * info["condition_estimate"] ** 2)
    definite = a @ a.T / n + np.eye(n).astype(KINDS[name])
    definite = (definite + definite.T) / 2
    there = nn.cuda.asarray(definite)
    b = matrix(name, n, 2, 3)
    for upper in [False, True]:
        factor = nn.linalg.cholesky(there, upper=upper)
        assert close(factor.get(), nn.linalg.cholesky(definite, upper=upper), name, 100 * n)
        kept = nn.linalg.cho_factor(there, lower=not upper)
        x = nn.linalg.cho_solve(kept, nn.cuda.asarray(b))
        assert close(x.get(), nn.linalg.solve(definite, b), name, 1000 * n)
        for trans in [0, 1]:
            y = nn.linalg.solve_triangular(
                factor, nn.cuda.asarray(b), trans=trans, lower=not upper
            ).get()
            known = nn.linalg.solve_triangular(factor.get(), b, trans=trans, lower=not upper)
            assert close(y, known, name, 100 * n)


@on_gpu
def test_errors_are_those_of_the_host():
    for a in [
        np.ones((2, 2)),
        np.array([[1.0, np.nan], [2.0, 3.0]]),
        np.ones((2, 3)),
        np.array([[np.inf, 0.0], [0.0, 1.0]]),
    ]:
        with pytest.raises((ValueError, nn.NoniusError)) as here:
            nn.linalg.solve(a, np.ones(2), device="cpu")
        with pytest.raises(type(here.value)) as there:
            nn.linalg.solve(nn.cuda.asarray(a), nn.cuda.asarray(np.ones(2)))
        assert str(there.value) == str(here.value)
    a = nn.cuda.asarray(np.eye(2))
    with pytest.raises(nn.NoniusError, match="positive definite"):
        nn.linalg.cholesky(-a)
    with pytest.raises(ValueError, match="digits"):
        nn.linalg.solve(a, a, digits=30)
    with pytest.raises(ValueError, match="precision"):
        nn.linalg.solve(a, a, precision="qd")
    with pytest.raises(ValueError, match="device"):
        nn.linalg.solve(a, a, device="cpu")
    with pytest.raises(ValueError, match="complete"):
        nn.linalg.qr(a, "complete")


@on_gpu
def test_an_error_does_not_stay():
    row = nn.cuda.asarray(np.zeros((1, 1 << 20)))
    with pytest.raises(RuntimeError, match="GPU's memory"):
        row.T @ row
    assert same((nn.cuda.asarray(np.eye(2)) * 2).get(), np.eye(2) * 2)


@on_gpu
def test_capsules_keep_the_memory():
    a = nn.cuda.asarray(matrix("qd", 50, 50))
    for version in [None, (0, 8), (1, 0), (2, 0)]:
        capsule = a.__dlpack__(max_version=version)
        name = "dltensor_versioned" if version and version[0] >= 1 else "dltensor"
        assert f'"{name}"' in repr(capsule)
    # Nobody takes this one.
    del capsule
    gc.collect()
    assert a.__dlpack_device__() == (2, 0)
    for stream in [None, -1, 1, 2]:
        a.__dlpack__(stream=stream)
    for stream in [0, -2]:
        with pytest.raises(ValueError, match="stream"):
            a.__dlpack__(stream=stream)
    with pytest.raises(BufferError, match="dl_device"):
        a.__dlpack__(dl_device=(1, 0))
    a.__dlpack__(dl_device=(2, 0), copy=False)


class Producer:
    """Hands out the capsule of an array as an old or a new library does."""

    def __init__(self, array, is_old):
        self.array, self.is_old, self.asked = array, is_old, []

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **arguments):
        self.asked.append(arguments)
        if self.is_old and "max_version" in arguments:
            raise TypeError("no such argument")
        return self.array.__dlpack__(**arguments)


@on_gpu
@at_every_kind
@pytest.mark.parametrize("is_old", [False, True])
def test_our_own_capsules_come_back(name, is_old):
    a = matrix(name, 6, 4)
    ours = nn.cuda.asarray(a)
    producer = Producer(ours, is_old)
    again = nn.cuda.asarray(producer, dtype=a.dtype)
    assert producer.asked[-1]["stream"] == 1
    assert place(again) == place(ours) and same(again.get(), a)
    del ours, producer
    gc.collect()
    nn.cuda.asarray(matrix(name, 6, 4, 9))
    assert same(again.get(), a) and same((again @ again.T).get(), (again.copy() @ again.T).get())
    with pytest.raises(ValueError, match="found the shape"):
        nn.cuda.asarray(Producer(again, is_old), dtype=nn.td if name != "td" else nn.dd)


def place(array):
    return array.__cuda_array_interface__["data"][0]


# Ways to see an array: of the array of limbs, and of that of numbers.
VIEWS = {
    "whole": (lambda x: x, lambda a: a),
    "transposed": (lambda x: x.swapaxes(0, 1), lambda a: a.T),
    "part": (lambda x: x[1:6, 2:5], lambda a: a[1:6, 2:5]),
    "steps": (lambda x: x[::2, 1::3], lambda a: a[::2, 1::3]),
    "reversed": (lambda x: x[::-1, ::-1], lambda a: a[::-1, ::-1]),
    "row": (lambda x: x[2], lambda a: a[2]),
    "column": (lambda x: x[:, 2], lambda a: a[:, 2]),
    "one": (lambda x: x[2:3, 2:3], lambda a: a[2:3, 2:3]),
    "none": (lambda x: x[:0], lambda a: a[:0]),
}


# With memory of the driver's, as any other library has it.


class Driver:
    """What tests call of the driver."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self("cuInit", 0)
        context = ctypes.c_void_p()
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.context = context

    def __call__(self, name, *arguments):
        if name != "cuInit" and hasattr(self, "context"):
            assert self.library.cuCtxSetCurrent(self.context) == 0
        assert self.library[name](*arguments) == 0, name


class OfDriver:
    """A copy of a view of an array in memory of the driver's, with the CUDA array interface."""

    def __init__(self, driver, array, view=lambda x: x, stream=None):
        self.driver = driver
        self.whole = np.ascontiguousarray(array)
        self.view = view(self.whole)
        address = ctypes.c_uint64()
        driver("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(8, self.whole.nbytes)))
        self.address = address
        self.write()
        start = self.view.ctypes.data - self.whole.ctypes.data
        self.__cuda_array_interface__ = {
            "shape": self.view.shape,
            "strides": self.view.strides,
            "typestr": "<f8",
            "data": (address.value + start if self.view.size else 0, False),
            "version": 3,
            "stream": stream,
        }

    def write(self):
        source = ctypes.c_void_p(self.whole.ctypes.data)
        if self.whole.nbytes:
            self.driver("cuMemcpyHtoD_v2", self.address, source, ctypes.c_size_t(self.whole.nbytes))

    def __del__(self):
        self.driver("cuMemFree_v2", self.address)


def read(driver, described):
    """The array that a dictionary of ours describes, by the driver."""
    told = described.__cuda_array_interface__
    shape, strides = told["shape"], told["strides"]
    count = 1 + sum((length - 1) * stride // 8 for length, stride in zip(shape, strides))
    raw = np.empty(count)
    address = ctypes.c_uint64(told["data"][0])
    place = ctypes.c_void_p(raw.ctypes.data)
    driver("cuMemcpyDtoH_v2", place, address, ctypes.c_size_t(raw.nbytes))
    return np.lib.stride_tricks.as_strided(raw, shape, strides).copy()


@pytest.fixture
def driver():
    return Driver()


@on_gpu
@at_every_kind
@pytest.mark.parametrize("view", VIEWS)
def test_memory_of_the_driver(driver, name, view):
    of_limbs, of_numbers = VIEWS[view]
    a = matrix(name, 9, 9)
    theirs = OfDriver(driver, limbs(a).copy(), of_limbs)
    ours = nn.cuda.asarray(theirs, dtype=a.dtype)
    expected = of_numbers(a)
    assert ours.shape == expected.shape and same(ours.get(), expected)
    if not expected.size:
        return
    assert place(ours) == theirs.__cuda_array_interface__["data"][0]
    assert ours.__cuda_array_interface__["strides"] == theirs.view.strides
    if ours.ndim == 2:
        assert same(ours.T.get(), expected.T)
        assert close((ours @ ours.T).get(), expected @ expected.T, name, 200)
        assert same((ours.T + ours.T).get(), 2 * expected.T)
    # What they write is seen.
    theirs.whole *= 2
    theirs.write()
    assert same(ours.get(), 2 * expected)


@on_gpu
@at_every_kind
def test_results_lie_where_their_description_says(driver, name):
    a = matrix(name, 40, 23)
    there = nn.cuda.asarray(a)
    for found, expected in [(there, a), (there.T, a.T), (there + there, a + a), (-there.T, -a.T)]:
        assert (read(driver, found) == limbs(expected)).all()
    system = nn.cuda.asarray(matrix(name, 40, 40, 3))
    x = nn.linalg.solve(system, there)
    assert (read(driver, x) == limbs(x.get())).all()


@on_gpu
def test_named_streams_are_waited_for(driver):
    stream = ctypes.c_void_p()
    driver("cuStreamCreate", ctypes.byref(stream), 1)
    for named in [stream.value, 1, 2, None]:
        theirs = OfDriver(driver, np.eye(3), stream=named)
        assert same(nn.cuda.asarray(theirs).get(), np.eye(3))


@on_gpu
def test_memory_of_the_driver_is_kept(driver):
    a = matrix("dd", 60, 60)
    ours = nn.cuda.asarray(OfDriver(driver, limbs(a)), dtype=nn.dd)
    gc.collect()
    others = [OfDriver(driver, np.ones((60, 60, 2))) for _ in range(50)]
    assert same(ours.get(), a) and len(others) == 50


@on_gpu
def test_the_end_of_memory_is_checked(driver):
    theirs = OfDriver(driver, np.eye(3))
    for changes in [
        {"shape": (1 << 40, 3), "strides": None},
        {"strides": (-(1 << 50), 8)},
        {"data": (8 << 50, False)},
    ]:
        described = Described(**(theirs.__cuda_array_interface__ | changes))
        with pytest.raises(ValueError, match="^x: "):
            nn.cuda.asarray(described)
    odd = {"data": (theirs.address.value + 4, False), "shape": (1,), "strides": None}
    with pytest.raises(ValueError, match="no multiple of 8 bytes"):
        nn.cuda.asarray(Described(**(theirs.__cuda_array_interface__ | odd)))


@on_gpu
def test_threads_take_turns():
    a = matrix("qd", 64, 64)
    expected = (nn.cuda.asarray(a) @ nn.cuda.asarray(a)).get()
    in_threads(lambda: same((nn.cuda.asarray(a) @ nn.cuda.asarray(a)).get(), expected))


def in_threads(work):
    """Asserts that work, done in four threads at a time, is right each time."""
    failures = []

    def repeated():
        try:
            failures.extend("wrong" for _ in range(10) if not work())
        except Exception as error:
            failures.append(repr(error))

    threads = [threading.Thread(target=repeated) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


# With other libraries on a GPU.


@pytest.fixture
def cupy():
    return pytest.importorskip("cupy")


@pytest.fixture
def torch():
    torch = pytest.importorskip("torch")
    return torch if torch.cuda.is_available() else pytest.skip("PyTorch without a GPU")


class OnlyInterface:
    """An array of CuPy that has the CUDA array interface alone."""

    def __init__(self, array):
        self.array = array

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__


@on_gpu
@at_every_kind
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("interface", [False, True])
def test_arrays_of_cupy(cupy, name, view, interface):
    of_limbs, of_numbers = VIEWS[view]
    a = matrix(name, 9, 9)
    theirs = of_limbs(cupy.asarray(limbs(a)))
    ours = nn.cuda.asarray(OnlyInterface(theirs) if interface else theirs, dtype=a.dtype)
    expected = of_numbers(a)
    assert same(ours.get(), expected)
    if expected.size:
        assert place(ours) == theirs.data.ptr
    if ours.ndim == 2:
        assert same(ours.T.get(), expected.T)
        if expected.size:
            assert close((ours @ ours.T).get(), expected @ expected.T, name, 200)
    # And out again, in the same place.
    for again in [cupy.from_dlpack(ours), cupy.asarray(ours)]:
        assert again.shape == theirs.shape and again.dtype == cupy.float64
        assert (again == theirs).all()
        if expected.size:
            assert again.data.ptr == theirs.data.ptr


@on_gpu
@at_every_kind
@pytest.mark.parametrize("view", [view for view in VIEWS if view != "reversed"])
def test_tensors_of_pytorch(torch, name, view):
    of_limbs, of_numbers = VIEWS[view]
    a = matrix(name, 9, 9)
    theirs = of_limbs(torch.tensor(limbs(a), device="cuda"))
    ours = nn.cuda.asarray(theirs, dtype=a.dtype)
    expected = of_numbers(a)
    assert same(ours.get(), expected)
    if expected.size:
        assert place(ours) == theirs.data_ptr()
    again = torch.from_dlpack(ours)
    assert again.shape == theirs.shape and again.dtype == torch.float64
    assert (again == theirs).all()
    if expected.size:
        assert again.data_ptr() == theirs.data_ptr()
    with pytest.raises(TypeError, match="expected float64"):
        nn.cuda.asarray(theirs.to(torch.float32))
    with pytest.raises(ValueError, match="host's"):
        nn.cuda.asarray(theirs.cpu())


@on_gpu
@at_every_kind
def test_results_go_out_without_a_copy(cupy, name):
    a = matrix(name, 40, 40)
    there = nn.cuda.asarray(a)
    product = there @ there
    theirs = cupy.from_dlpack(product)
    assert theirs.data.ptr == place(product)
    shape = (40, 40) if name == "f64" else (40, 40, LIMBS[name])
    assert theirs.shape == shape and (theirs.get() == limbs(product.get())).all()
    assert (cupy.asarray(product.T) == theirs.swapaxes(0, 1)).all()


@on_gpu
def test_writes_are_seen(cupy):
    theirs = cupy.zeros((4, 4, 2))
    ours = nn.cuda.asarray(theirs, dtype=nn.dd)
    theirs[1, 2] = cupy.asarray([3.0, 2.0**-70])
    assert ours.get()[1, 2] - 3 == 2.0**-70
    out = cupy.from_dlpack(ours)
    out[0, 0, 0] = 7.0
    assert ours.get()[0, 0] == 7 and float(theirs[0, 0, 0]) == 7.0
    result = ours + 1
    view = cupy.from_dlpack(result)
    view[3, 3] = cupy.asarray([5.0, 0.0])
    assert result.get()[3, 3] == 5


@on_gpu
def test_work_in_other_streams_is_waited_for(cupy):
    for blocking in [True, False]:
        stream = cupy.cuda.Stream(non_blocking=not blocking)
        for trial in range(5):
            with stream:
                # Long work before the numbers are there.
                large = cupy.ones((4000, 4000))
                for _ in range(40):
                    large = cupy.sqrt(large + 1)
                theirs = cupy.full((200, 200), 1.0 + trial)
                theirs += 0 * large[:200, :200]
                ours = nn.cuda.asarray(theirs)
            assert (ours.get() == 1.0 + trial).all()
            with stream:
                view = cupy.from_dlpack(ours + 1)
                total = view.sum()
            stream.synchronize()
            assert float(total) == 40000 * (2.0 + trial)


@on_gpu
def test_memory_lives_as_long_as_its_users(cupy):
    a = matrix("dd", 60, 60)
    ours = nn.cuda.asarray(cupy.asarray(limbs(a)), dtype=nn.dd)
    gc.collect()
    others = [cupy.full((60, 60, 2), 9.0) for _ in range(50)]
    assert same(ours.get(), a)
    theirs = cupy.from_dlpack(ours + 0)
    del ours
    gc.collect()
    more = [nn.cuda.asarray(a) * 3 for _ in range(50)]
    assert (theirs.get() == limbs(a)).all()
    # A capsule's tensor goes while work on it is under way.
    total = cupy.zeros((60, 60, 2))
    for _ in range(200):
        total += cupy.from_dlpack(nn.cuda.asarray(a) + 0)
    assert close(total.get()[..., 0], 200 * limbs(a)[..., 0], "f64", 400)
    assert len(others) == len(more)


@on_gpu
def test_memory_is_given_back(cupy):
    pool = cupy.get_default_memory_pool()
    gc.collect()
    before = pool.used_bytes()
    theirs = cupy.zeros((1000, 1000))
    ours = [nn.cuda.asarray(theirs), nn.cuda.asarray(OnlyInterface(theirs))]
    del theirs
    gc.collect()
    assert pool.used_bytes() >= before + 8_000_000
    del ours
    gc.collect()
    assert pool.used_bytes() <= before


@on_gpu
def test_threads(cupy):
    a = matrix("qd", 64, 64)
    expected = limbs((nn.cuda.asarray(a) @ nn.cuda.asarray(a)).get())

    def work():
        ours = nn.cuda.asarray(cupy.asarray(limbs(a)), dtype=nn.qd)
        return (cupy.from_dlpack(ours @ ours).get() == expected).all()

    in_threads(work)

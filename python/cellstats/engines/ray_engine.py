"""A cluster of Ray, as an executor: Ray has none of its own."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from cellstats._native import UsageError
from cellstats.measure.build import check_same_build, this_build, unlike
from cellstats.text.reasons import kind_and_reason


class RayExecutor(Executor):
    """Calls as tasks of the cluster that this process is connected to; `ray` is the package."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._max_workers = int(ray.cluster_resources().get("CPU", 1))
        self._under_way: dict[Future[Any], Any] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A task; Ray itself tries it again, three times, when its worker dies."""
        reference = self._ray.remote(fn).remote(*args, **kwargs)
        future: Future[Any] = reference.future()
        self._under_way[future] = reference
        future.add_done_callback(self._under_way.pop)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Wait for what is under way, or cancel it; the cluster stays."""
        if wait and not cancel_futures:
            under_way = list(self._under_way.values())
            if under_way:
                self._ray.wait(under_way, num_returns=len(under_way))
        if cancel_futures:
            for reference in list(self._under_way.values()):
                self._ray.cancel(reference)


@contextmanager
def opened(address: str) -> Iterator[Executor]:
    """The executor of the cluster whose client server is at HOST:PORT."""
    import ray

    try:
        ray.init(f"ray://{address}", log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        what = kind_and_reason(error)
        raise UsageError(f"ray://{address}: no cluster answers there ({what})") from None
    try:
        with RayExecutor(ray) as executor:
            # One worker; the others are looked at with their first batches.
            try:
                executor.submit(check_same_build, this_build()).result()
            except Exception as error:
                raise unlike("a worker", error) from None
            try:
                yield executor
            except BaseException:
                executor.shutdown(cancel_futures=True)
                raise
    finally:
        ray.shutdown()

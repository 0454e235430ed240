"""Each pause has a known caller and a known line."""
import asyncio
import ctypes
import functools
import multiprocessing
import signal
import sys
import threading
import time


def pause():
    time.sleep(0.001)  # line 13


def first():
    pause()
    time.sleep(0.001)  # line 18


def countdown(number):
    if number:
        countdown(number - 1)
    else:
        pause()


class Model:
    def fit(self):
        self.step()

    @staticmethod
    def loss():
        pause()

    def step(self):
        pause()

    def __init__(self):
        pause()

    def __repr__(self):
        pause()
        return "model"


def numbers():
    pause()
    yield 1
    pause()
    yield from more_numbers()


def more_numbers():
    pause()
    yield 2


async def outer():
    pause()
    await inner()


async def inner():
    pause()
    await asyncio.sleep(0)
    pause()


def decorated(function):
    @functools.wraps(function)
    def wrapper():
        function()

    return wrapper


@decorated
def decorated_pause():
    pause()


def handle(number, frame):
    pause()


def raising():
    try:
        raise ValueError
    except ValueError:
        pause()
    finally:
        pause()


# A new function each time, at the addresses of the last one.
def made(number):
    space = {}
    exec(f"def made{number}(pause):\n    pause()\n", space)
    space[f"made{number}"](pause)


def größe():
    pause()


# A process that another one started is recorded from its first sample on.
def forked():
    for _ in range(1000000):
        pass
    pause()


def compare(a, b):
    pause()
    return 0


first()
countdown(3)
sys.setrecursionlimit(6000)
countdown(5000)
model = Model()
model.fit()
Model.loss()
str(model)
sum(numbers())
asyncio.run(outer())
decorated_pause()
signal.signal(signal.SIGUSR1, handle)
signal.raise_signal(signal.SIGUSR1)
raising()
for number in range(3):
    made(number)
größe()
sorted([1], key=lambda item: pause())
order = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(compare)
ctypes.CDLL(None).qsort((ctypes.c_int * 2)(), 2, 4, order)
thread = threading.Thread(target=first)
thread.start()
thread.join()
child = multiprocessing.get_context("fork").Process(target=forked)
child.start()
child.join()

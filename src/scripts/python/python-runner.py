# Runs functions of a user's Python file for Assay: calls come in as JSON lines on file descriptor 3, results go out there.
# Standard library only, Python 3.9 or later. Async functions share the event loop of the main thread; other functions run in
# threads, each call in its own.

import asyncio
import codecs
import collections.abc
import contextvars
import dataclasses
import importlib.util
import inspect
import io
import json
import os
import queue
import sys
import threading
import traceback

RUNNER = sys.argv[1]
CHANNEL = 3
MEGABYTE = 1024 * 1024
# An answer longer than this as JSON is not sent.
MAX_ANSWER = 10 * MEGABYTE
# A line of output longer than this is sent in pieces.
MAX_LOG = MEGABYTE
# Longer texts of exceptions are cut.
MAX_TEXT = 100_000
WHAT_TO_RETURN = "return text, a dict, a list, a dataclass or a pydantic model"

# The call that the running code belongs to.
current_call = contextvars.ContextVar("assay_call", default=None)


class Channel:
    """Sends messages, whole and one after the other."""

    def __init__(self):
        self.lock = threading.RLock()
        self.is_open = True
        # A program that the function starts must not hold the channel open.
        os.set_inheritable(CHANNEL, False)
        os.register_at_fork(after_in_child=self.close_in_child)

    def send(self, message):
        self.send_text(json.dumps(message))

    def send_text(self, text):
        data = memoryview((text + "\n").encode("utf-8"))
        with self.lock:
            if not self.is_open:
                return
            try:
                while len(data) > 0:
                    data = data[os.write(CHANNEL, data):]
            except OSError:
                # Assay has ended.
                os._exit(1)

    def close_in_child(self):
        """A forked child shares the channel, but the calls belong to its parent."""
        self.is_open = False
        self.lock = threading.RLock()
        os.close(CHANNEL)


class Call:
    """A call that is under way."""

    def __init__(self, number):
        self.number = number
        # Runs in the event loop, as this task.
        self.is_async = False
        self.task = None
        self.output_lock = threading.RLock()
        self.unfinished_line = ""

    def add_output(self, text):
        with self.output_lock:
            *lines, rest = (self.unfinished_line + text).split("\n")
            while len(rest) > MAX_LOG:
                lines.append(rest[:MAX_LOG])
                rest = rest[MAX_LOG:]
            self.unfinished_line = rest
            for line in lines:
                self.send_line(line)

    def end_output(self):
        with self.output_lock:
            if self.unfinished_line != "":
                self.send_line(self.unfinished_line)
            self.unfinished_line = ""

    def send_line(self, line):
        for start in range(0, max(len(line), 1), MAX_LOG):
            channel.send({"type": "printed", "id": self.number, "text": line[start:start + MAX_LOG]})

    def succeed(self, value):
        if isinstance(value, str):
            check_length(len(value))
        text = to_json(value)
        if not isinstance(value, str):
            check_length(len(text))
        self.end("{\"type\": \"returned\", \"id\": %d, \"value\": %s}" % (self.number, text))

    def fail(self, error):
        self.end(json.dumps({"type": "raised", "id": self.number, **describe(error)}))

    def end(self, text):
        self.end_output()
        with calls_lock:
            calls.pop(self.number, None)
        channel.send_text(text)
        if not channel.is_open:
            # This is a forked child that returned from the function.
            os._exit(0)


def check_length(length):
    if length > MAX_ANSWER:
        raise Unusable("the answer is %.1f MB long; at most 10 MB can be judged" % (length / MEGABYTE))


class Unusable(Exception):
    """A returned value that cannot be used; the message is all that a user needs."""


class Output(io.TextIOBase):
    """Standard output or standard error: what a call prints belongs to it."""

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.buffer = OutputBytes(self)

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not %s" % type(text).__name__)
        call = current_call.get() or only_call()
        if call is not None:
            call.add_output(text)
        return len(text)

    def fileno(self):
        return self.descriptor

    def writable(self):
        return True


class OutputBytes(io.RawIOBase):
    def __init__(self, text):
        self.text = text
        self.decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data):
        self.text.write(self.decoder.decode(bytes(data)))
        return len(data)

    def fileno(self):
        return self.text.fileno()

    def writable(self):
        return True


class Context(dict):
    """The context of a call: `ctx.user_id` is `ctx["user_id"]`."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError("ctx has no %r; it has %s" % (name, ", ".join(self))) from None

    def __setattr__(self, name, value):
        self[name] = value


class Threads:
    """Runs functions at the same time; a thread that is free takes the next one."""

    def __init__(self):
        self.work = queue.SimpleQueue()
        self.lock = threading.RLock()
        self.idle = 0

    def submit(self, run, *arguments):
        with self.lock:
            is_free = self.idle > 0
            self.idle -= 1 if is_free else 0
        if not is_free:
            threading.Thread(target=self.serve, daemon=True).start()
        self.work.put((run, arguments))

    def serve(self):
        while True:
            run, arguments = self.work.get()
            run(*arguments)
            del run, arguments
            with self.lock:
                self.idle += 1


class Function:
    """A function of the user, and how it wants to be called."""

    def __init__(self, name, call, given):
        self.name = name
        self.call = call
        self.is_async = inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call)
        self.count, self.takes_keyword = parameters(name, call, given)

    def __call__(self, arguments):
        positional = arguments if self.count is None else arguments[:self.count]
        return self.call(*positional, ctx=arguments[-1]) if self.takes_keyword else self.call(*positional)


def parameters(name, call, given):
    """How many of the given arguments the function takes; None for all. The second value: it takes `ctx` by keyword only."""
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):
        return None, False
    kinds = [(each.kind, each.default is each.empty, each.name) for each in signature.parameters.values()]
    positional = [required for kind, required, _ in kinds if kind in (0, 1)]
    takes_all = any(kind == inspect.Parameter.VAR_POSITIONAL for kind, _, _ in kinds)
    keywords = [key for kind, required, key in kinds if kind == inspect.Parameter.KEYWORD_ONLY and (required or key == "ctx")]
    takes = "(%s)" % ", ".join(given)
    if any(key != "ctx" for key in keywords):
        raise Unusable("%s needs the keyword %s; Assay calls it with %s" % (name, keywords[0], takes))
    if sum(positional) > len(given):
        raise Unusable("%s needs %d arguments; Assay calls it with %s" % (name, sum(positional), takes))
    if len(positional) == 0 and not takes_all:
        raise Unusable("%s takes no arguments; Assay calls it with %s" % (name, takes))
    return (None if takes_all else min(len(positional), len(given))), "ctx" in keywords


def only_call():
    """Output of a thread that a function has started belongs to the only call, if there is just one."""
    with calls_lock:
        return next(iter(calls.values())) if len(calls) == 1 else None


def to_json(value):
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=to_plain)
    except RecursionError:
        raise Unusable("the answer is nested too deeply") from None
    except (TypeError, ValueError) as error:
        raise Unusable("the answer cannot be written as JSON: %s; %s" % (error, WHAT_TO_RETURN)) from None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # Half of a surrogate pair; Assay replaces it.
        return json.dumps(value, default=to_plain)
    return text


def to_plain(value):
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    for name in ("model_dump", "dict"):
        dump = getattr(value, name, None)
        # Models of pydantic 2, and of pydantic 1.
        if callable(dump) and not isinstance(value, type) and (name == "model_dump" or hasattr(value, "__fields__")):
            return dump(mode="json") if name == "model_dump" else dump()
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else "%s.%s" % (kind.__module__, kind.__qualname__)
    raise TypeError("a value of type %s is not JSON" % name)


def collect(pieces):
    length = StreamLength()
    return join([length.add(piece) for piece in pieces])


async def collect_async(pieces):
    length = StreamLength()
    return join([length.add(piece) async for piece in pieces])


class StreamLength:
    """Bounds the length of a stream."""

    def __init__(self):
        self.total = 0

    def add(self, piece):
        self.total += len(piece) if isinstance(piece, (bytes, str)) else 1
        if self.total > MAX_ANSWER:
            raise Unusable("answered more than 10 MB; at most 10 MB of an answer is read")
        return piece


def join(pieces):
    """Text if all pieces are text, else the list of pieces."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    texts = [decoder.decode(piece) if isinstance(piece, bytes) else piece for piece in pieces]
    return "".join(texts) if all(isinstance(text, str) for text in texts) else texts


def describe(error):
    """An exception as a message and a traceback without the frames of this file."""
    if isinstance(error, Unusable):
        return {"message": str(error)}
    if isinstance(error, SystemExit):
        return {"message": "it called sys.exit(%s)" % ("" if error.code is None else repr(error.code)[:MAX_TEXT])}
    try:
        text = str(error)[:MAX_TEXT]
    except Exception:
        text = "its message cannot be shown"
    name = type(error).__name__
    return {"message": "%s: %s" % (name, text) if text else name, "stack": traceback_text(error)}


def traceback_text(error):
    frames = error.__traceback__
    while frames is not None and is_own_frame(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    try:
        lines = traceback.format_exception(type(error), error, frames)
    except Exception:
        return ""
    return "".join(lines).rstrip("\n")[:MAX_TEXT]


def is_own_frame(file):
    return file == RUNNER or file.startswith("<frozen importlib")


def run_in_thread(call, function, arguments):
    current_call.set(call)
    try:
        value = function(arguments)
        if isinstance(value, collections.abc.Iterator):
            value = collect(value)
        if inspect.isawaitable(value) or isinstance(value, collections.abc.AsyncIterator):
            call.is_async = True
            loop.call_soon_threadsafe(start_task, call, value)
        else:
            call.succeed(value)
    except BaseException as error:
        call.fail(error)
    finally:
        current_call.set(None)


def call_async(call, function, arguments):
    """Calls an async function in the event loop, which makes what it then awaits."""
    try:
        start_task(call, function(arguments))
    except BaseException as error:
        call.fail(error)


def start_task(call, value):
    context = contextvars.copy_context()
    context.run(current_call.set, call)
    call.task = context.run(loop.create_task, finish(call, value))


async def finish(call, value):
    try:
        if inspect.isawaitable(value):
            value = await value
        if isinstance(value, collections.abc.AsyncIterator):
            value = await collect_async(value)
        elif isinstance(value, collections.abc.Iterator):
            value = collect(value)
        call.succeed(value)
    except BaseException as error:
        call.fail(error)


def begin(message):
    call = Call(message["id"])
    with calls_lock:
        calls[call.number] = call
    try:
        function = find_function(message["function"], message["given"])
        *arguments, context = message["arguments"]
        arguments.append(to_context(context))
    except BaseException as error:
        return call.fail(error)
    if function.is_async:
        call.is_async = True
        loop.call_soon_threadsafe(call_async, call, function, arguments)
    else:
        threads.submit(run_in_thread, call, function, arguments)


def to_context(data):
    dates = data.pop("dates", None)
    variables = data.get("variables")
    if dates and variables:
        from datetime import datetime

        for name in dates:
            # Python 3.9 does not know the Z.
            variables[name] = datetime.fromisoformat(variables[name].replace("Z", "+00:00"))
    return Context(data)


def cancel(number):
    """Says `alive` where the call runs: an event loop that another call blocks does not answer."""
    with calls_lock:
        call = calls.get(number)
    if call is None or not call.is_async:
        return channel.send({"type": "alive", "id": number})

    def cancel_task():
        if call.task is not None:
            call.task.cancel()
        channel.send({"type": "alive", "id": number})

    loop.call_soon_threadsafe(cancel_task)


def find_function(name, given):
    known = functions.get(name)
    if known is None:
        found = getattr(module, name, None)
        if found is None:
            names = sorted(key for key, value in vars(module).items() if is_own_function(value))
            has = "it has %s" % ", ".join(names) if names else "it has no functions"
            raise Unusable("has no function %s (%s)" % (json.dumps(name), has))
        if inspect.isclass(found):
            raise Unusable("%s is a class; Assay calls a function" % name)
        if not callable(found):
            raise Unusable("%s is a value of type %s; Assay calls a function" % (name, type(found).__name__))
        known = functions[name] = Function(name, found, given)
    return known


def is_own_function(value):
    return inspect.isfunction(value) and value.__module__ == module.__name__


def load(file, is_judge):
    """Imports the user's file as Python does for `python file.py`: its folder is the first place for imports.

    For a judge it is the last one, and compiled files are not read: an agent could have written there.
    """
    folder = os.path.dirname(file)
    if sys.path and sys.path[0] == "":
        del sys.path[0]
    if is_judge:
        sys.path.append(folder)
        sys.dont_write_bytecode = True
        # No file can be below it.
        sys.pycache_prefix = os.devnull
    else:
        sys.path.insert(0, folder)
    sys.argv = [file]
    name = os.path.splitext(os.path.basename(file))[0]
    # A file may have the name of a module that Python itself needs.
    if name in sys.modules or not name.isidentifier():
        name = "assay_module"
    spec = importlib.util.spec_from_file_location(name, file)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def place(error, file):
    """The line to look at: of a syntax error, else the last one in the user's file."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return {"file": error.filename, "line": error.lineno}
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == file]
    return {"file": file, "line": lines[-1]} if lines else {"file": file}


def read_messages(lines):
    for line in lines:
        message = json.loads(line)
        if message["type"] == "call":
            begin(message)
        else:
            cancel(message["id"])
    os._exit(0)


def start(lines):
    """Imports the file in the main thread, and then serves calls for good."""
    global module
    request = json.loads(sys.argv[2])
    file = request["file"]
    importing = Call(0)
    token = current_call.set(importing)
    try:
        module = load(file, request.get("is_judge", False))
        find_function(request["function"], request["given"])
    except BaseException as error:
        importing.end_output()
        missing = getattr(error, "name", None) if isinstance(error, ModuleNotFoundError) else None
        is_usage = isinstance(error, Unusable)
        where = {"file": file} if is_usage else place(error, file)
        channel.send({"type": "unloadable", "missing": missing, "is_usage": is_usage, **where, **describe(error)})
        os._exit(0)
    current_call.reset(token)
    importing.end_output()
    threading.Thread(target=read_messages, args=(lines,), daemon=True).start()
    channel.send({"type": "loaded"})
    while True:
        try:
            loop.run_forever()
        except BaseException:
            # A task of the user called sys.exit: that is not the end of the other calls.
            traceback.print_exc()


channel = Channel()
calls = {}
calls_lock = threading.RLock()
functions = {}
module = None
threads = Threads()
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
sys.stdout = sys.__stdout__ = Output(1)
sys.stderr = sys.__stderr__ = Output(2)
start(open(CHANNEL, "rb", closefd=False))

"""Judges [[type, value]] from stdin by the types of a generated package; prints a list of booleans."""
import importlib, json, sys, types, typing

extensions = types.ModuleType("typing_extensions")
extensions.NotRequired = typing.NotRequired
sys.modules["typing_extensions"] = extensions
module = importlib.import_module("shop_client")
scope = {**vars(typing), **vars(module)}
scope["NotRequired"] = typing.NotRequired


def resolve(kind):
    if isinstance(kind, typing.ForwardRef):
        kind = kind.__forward_arg__
    return eval(kind, scope) if isinstance(kind, str) else kind


def fits(kind, value):
    kind = resolve(kind)
    if isinstance(kind, str):
        return fits(kind, value)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is typing.Any:
        return True
    if kind is None or kind is type(None):
        return value is None
    if origin is typing.NotRequired:
        return fits(arguments[0], value)
    if origin is typing.Union:
        return any(fits(each, value) for each in arguments)
    if origin is typing.Literal:
        return any(type(each) is type(value) and each == value for each in arguments)
    if origin is list:
        return isinstance(value, list) and all(fits(arguments[0], each) for each in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(arguments[1], each) for each in value.values())
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if typing.is_typeddict(kind):
        return isinstance(value, dict) and all(member(each, name, value) for name, each in kind.__annotations__.items())
    return type(value) is kind


def member(kind, name, value):
    if name in value:
        return fits(kind, value[name])
    return typing.get_origin(resolve(kind)) is typing.NotRequired


print(json.dumps([fits(kind, value) for kind, value in json.load(sys.stdin)]))

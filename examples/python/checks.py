"""Functions that judge answers."""


def is_short(output):
    return len(output) <= 60


def names_user(output, input, expected, ctx):
    return {"pass": ctx.user_id in output, "message": f"{ctx.user_id} is not in {output!r}"}

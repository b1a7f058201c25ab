"""Every trial, in the order in which they run."""

from __future__ import annotations

from tests.torture.trial import Trial

HERE = "tests.torture"

TRIALS = (
    Trial("rules/in-a-row", "against OpenSpiel", f"{HERE}.rules_openspiel:in_a_row", "moves"),
    Trial("rules/connect-four", "against OpenSpiel", f"{HERE}.rules_openspiel:connect_four", "moves"),
    Trial("rules/breakthrough", "against OpenSpiel", f"{HERE}.rules_openspiel:breakthrough", "moves"),
    Trial("rules/oware", "against OpenSpiel", f"{HERE}.rules_openspiel:oware", "moves"),
    Trial("rules/othello", "against OpenSpiel", f"{HERE}.rules_openspiel:othello", "moves"),
    Trial("rules/hex", "against OpenSpiel", f"{HERE}.rules_openspiel:hex_", "moves"),
    Trial("rules/dots-and-boxes", "against OpenSpiel", f"{HERE}.rules_openspiel:dots_and_boxes", "moves"),
    Trial("rules/nine-mens-morris", "against OpenSpiel", f"{HERE}.rules_openspiel:nine_mens_morris", "moves"),
    Trial("rules/2048", "against OpenSpiel", f"{HERE}.rules_openspiel:twenty48", "moves"),
    Trial("rules/nmbr9", "against a second reading of the rulebook", f"{HERE}.rules_nmbr9:attempt", "moves"),
    Trial("rules/azul", "against a second reading of the rulebook", f"{HERE}.rules_azul:attempt", "moves"),
    Trial("rules/ludo", "against a second reading of the rules", f"{HERE}.rules_dice:ludo", "moves"),
    Trial("rules/cant-stop", "against a second reading of the rules", f"{HERE}.rules_dice:cant_stop", "moves"),
    Trial("rules/pig", "against a second reading of the rules", f"{HERE}.rules_dice:pig", "moves", 0.5),
    Trial("rules/royal-ur", "against a second reading of the rules", f"{HERE}.rules_dice:royal_ur", "moves"),
    Trial("rules/yacht", "against a second reading of the rules", f"{HERE}.rules_dice:yacht", "moves"),
    Trial(
        "rules/chinese-checkers",
        "against a second reading of the rules",
        f"{HERE}.rules_chinese_checkers:attempt",
        "moves",
    ),
    Trial("rules/ridge", "against a second reading of the rules", f"{HERE}.rules_dice:ridge", "moves", 0.5),
    Trial("rules/twins", "every game, compiled and interpreted", f"{HERE}.rules_twins:attempt", "games", 2.0, 300.0),
    Trial("fuzz/specs", "players' specs: made, or refused in one sentence", f"{HERE}.fuzz_specs:attempt"),
    Trial("fuzz/options", "options of games, as text and as values", f"{HERE}.fuzz_options:attempt"),
    Trial("fuzz/settings", "settings of trainings; command lines", f"{HERE}.fuzz_settings:attempt"),
    Trial("fuzz/records", "records as JSON, read, replayed, imported", f"{HERE}.fuzz_records:attempt"),
    Trial("fuzz/sgf", "SGF of others and of ours", f"{HERE}.fuzz_sgf:attempt"),
    Trial("fuzz/positions", "positions as JSON, shown and played on", f"{HERE}.fuzz_positions:attempt"),
    Trial("fuzz/models", "safetensors, their headings and ours", f"{HERE}.fuzz_models:attempt"),
    Trial("fuzz/http", "the server's routes, and bytes that are no HTTP", f"{HERE}.fuzz_http:attempt"),
    Trial("fuzz/socket", "the server's socket", f"{HERE}.fuzz_socket:attempt"),
    Trial("fuzz/json-lines", "the analysis engine", f"{HERE}.fuzz_engines:json_lines"),
    Trial("fuzz/piskvork", "the Gomocup engine", f"{HERE}.fuzz_engines:piskvork"),
    Trial("fuzz/guided", "readers, led by coverage (Atheris)", f"{HERE}.fuzz_guided:attempt", patience=300.0),
    Trial("kill/train", "the same weights after kill -9", f"{HERE}.kill_train:attempt", "kills", 4.0, 300.0),
    Trial("kill/match", "the same games and result after kill -9", f"{HERE}.kill_match:match", "kills", 2.0, 300.0),
    Trial("kill/playtest", "the same report after kill -9", f"{HERE}.kill_match:playtest", "kills", 2.0, 300.0),
    Trial("kill/serve", "no answered move lost after kill -9", f"{HERE}.kill_serve:attempt", "kills", 2.0, 300.0),
    Trial("memory/games", "flat over 10,000 games", f"{HERE}.memory:games", "games", 4.0, scales=True),
    Trial("memory/requests", "flat over 10,000 requests", f"{HERE}.memory:requests", "requests", 4.0, scales=True),
    Trial("clients", "100 at once, ten minutes", f"{HERE}.clients:attempt", "requests", 12.0, scales=True),
    Trial("disk/full", "one sentence, and the same result later", f"{HERE}.disk_full:attempt", "runs", 2.0, 300.0),
    Trial("disk/read-only", "a home that cannot be written", f"{HERE}.disk_read_only:attempt", "commands", 2.0, 300.0),
    Trial("clock", "time.time jumps by days", f"{HERE}.clock:attempt", "runs", 2.0, 300.0),
)
# Runs only when it is named: a trial that fails on purpose, to see that the frame finds it and repeats it.
PLANTED = Trial("planted", "a fault on purpose", f"{HERE}.planted:attempt", weight=0.0)


def chosen(names: list[str]) -> tuple[Trial, ...]:
    """The trials of these names; a name before the stroke stands for its whole group. All of them if none is named."""
    if not names:
        return TRIALS
    known = (*TRIALS, PLANTED)
    found = [one for one in known if one.name in names or one.name.partition("/")[0] in names]
    unknown = [name for name in names if not any(name in (one.name, one.name.partition("/")[0]) for one in known)]
    if unknown:
        raise SystemExit(f"torture: no trial {unknown[0]!r}; there are {', '.join(one.name for one in TRIALS)}")
    return tuple(found)

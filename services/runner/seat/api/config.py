"""Constants that bots may import, under the names of the original client."""

IS_DOCKER = False
DOCKER_BASE_PATH = LOCAL_BASE_PATH = BASE_PATH = "."
"""The current folder, the only one in which a bot can write."""

DEFAULT_HOST = "localhost"
DEFAULT_PORT = 5000
"""Exist because bots may import them: there is no server, and a bot has no network."""

START_MONEY = 10000
"""Chips of every player when a match begins."""

RESULT_FILE = "game_result.log"
GAMEID_LOG_FILE = "gameid.log"
"""Names of files that the original client wrote. This platform does not write them."""

"""Names of message types. They exist because bots may import them."""

from type.message import MessageType

MESSAGE_TYPE_MAPPING = {
    kind.value: "Time Stamp" if kind is MessageType.TIME_STAMPT else kind.name.replace("_", " ").title() for kind in MessageType
}
"""Number of a message type -> name, such as 4: "Request Player Action"."""


def get_message_type_name(message_type: int) -> str:
    """Returns the name of a message type; raises ValueError for an unknown number."""
    if message_type not in MESSAGE_TYPE_MAPPING:
        raise ValueError(f"no message type has the number {message_type}")
    return MESSAGE_TYPE_MAPPING[message_type]

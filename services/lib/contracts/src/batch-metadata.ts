type ModelJson = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is ModelJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Returns the model that wrote a player's bot, from the metadata of a batch (web/public/batch-metadata.schema.json), as columns of an export.
 * Metadata is free-form: values of another form become null.
 */
export function modelOf(metadataJson: string, username: string) {
  const bot = botOf(metadataJson, username);
  const model = isObject(bot.model) ? bot.model : {};
  return {
    model_name: textOf(model.name),
    model_version: textOf(model.version),
    provider: textOf(model.provider),
    prompt: textOf(bot.prompt),
    cost_usd: typeof bot.cost_usd === 'number' && Number.isFinite(bot.cost_usd) ? bot.cost_usd : null,
    created_on: textOf(bot.created_on),
  };
}

function botOf(metadataJson: string, username: string): ModelJson {
  if (metadataJson === '') return {};
  const metadata: unknown = JSON.parse(metadataJson);
  const bots = isObject(metadata) && isObject(metadata.bots) ? metadata.bots : {};
  const bot = Object.hasOwn(bots, username) ? bots[username] : undefined;
  return isObject(bot) ? bot : {};
}

type ModelJson = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is ModelJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/**
 * Reads the metadata of a batch (web/public/batch-metadata.schema.json). Returns what gives the model that wrote a player's bot, as columns of an
 * export. Metadata is free-form: values of another form become null.
 */
export function readModels(metadataJson: string) {
  const metadata: unknown = metadataJson === '' ? {} : JSON.parse(metadataJson);
  const bots = isObject(metadata) && isObject(metadata.bots) ? metadata.bots : {};
  return (username: string) => {
    const found = Object.hasOwn(bots, username) ? bots[username] : undefined;
    const bot = isObject(found) ? found : {};
    const model = isObject(bot.model) ? bot.model : {};
    return {
      model_name: textOf(model.name),
      model_version: textOf(model.version),
      provider: textOf(model.provider),
      prompt: textOf(bot.prompt),
      cost_usd: typeof bot.cost_usd === 'number' && Number.isFinite(bot.cost_usd) ? bot.cost_usd : null,
      created_on: textOf(bot.created_on),
    };
  };
}

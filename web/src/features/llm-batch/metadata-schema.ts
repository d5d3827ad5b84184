// Suggested schema of a batch's metadata: web/public/batch-metadata.schema.json. Exports contain the parts that follow it.

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isDay = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
const isCost = (value: unknown) => typeof value === 'number' && value >= 0;

/** Returns the metadata with an entry for each user that has none. */
export function metadataTemplate(metadata: Json, users: readonly string[]): Json {
  const bots = isObject(metadata.bots) ? metadata.bots : {};
  const empty = { model: { name: '', version: '', provider: '' }, prompt: '', cost_usd: 0, created_on: '' };
  return { ...metadata, bots: { ...Object.fromEntries(users.map((user) => [user, empty])), ...bots } };
}

/** Returns a sentence for each part that differs from the suggested schema. Metadata without `bots` has none. */
export function metadataWarnings(metadata: Json, users: readonly string[]): string[] {
  const { bots } = metadata;
  if (bots === undefined) return [];
  if (!isObject(bots)) return ['bots is not an object with an entry for each user.'];
  return Object.entries(bots).flatMap(([user, bot]) => {
    if (!users.includes(user)) return [`${user} does not play in this batch.`];
    if (!isObject(bot)) return [`The entry of ${user} is not an object.`];
    return botWarnings(user, bot);
  });
}

function botWarnings(user: string, { model, prompt, cost_usd: cost, created_on: createdOn }: Json): string[] {
  const warnings: string[] = [];
  if (!isObject(model) || !isText(model.name)) warnings.push(`The entry of ${user} has no model.name.`);
  else {
    for (const key of ['version', 'provider']) {
      if (model[key] !== undefined && !isText(model[key])) warnings.push(`model.${key} of ${user} is not a text.`);
    }
  }
  if (prompt !== undefined && !isText(prompt)) warnings.push(`prompt of ${user} is not a text.`);
  if (cost !== undefined && !isCost(cost)) warnings.push(`cost_usd of ${user} is not a number from 0.`);
  if (createdOn !== undefined && !isDay(createdOn))
    warnings.push(`created_on of ${user} is not a day such as 2026-11-01.`);
  return warnings;
}

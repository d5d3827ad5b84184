import type { Autoscaling as AutoscalingMessage } from '@husky/contracts/types/pool/v1/Autoscaling';
import type { Context, PoolHandlers } from '../context.ts';
import { checkSettings } from '../domain/sizes.ts';
import { type Autoscaling, readAutoscaling, saveAutoscaling } from '../store/autoscaling.ts';

/** Returns autoscaling's settings and its last evaluation. */
export function getAutoscaling(context: Context): PoolHandlers['getAutoscaling'] {
  return async (): Promise<AutoscalingMessage> => present(context, await readAutoscaling(context.db));
}

/** Changes settings of autoscaling, and returns them with an evaluation by them. */
export function setAutoscaling(context: Context): PoolHandlers['setAutoscaling'] {
  return async (request, { caller: user }): Promise<AutoscalingMessage> => {
    const { expectedVersion, enabled, minimum, maximum, drainSeconds } = request;
    const saved = await saveAutoscaling(
      context.db,
      { enabled, minimum, maximum, drainSeconds },
      { user, expectedVersion, now: new Date() },
      context.autoscaler.settingsOf,
      (settings) => checkSettings(settings, context.maxSize),
    );
    context.log.info({ userId: user.id, version: saved.version }, 'autoscaling settings changed');
    await context.autoscaler.evaluateAfterSave();
    return present(context, await readAutoscaling(context.db));
  };
}

function present({ autoscaler, maxSize }: Context, row: Autoscaling): AutoscalingMessage {
  const settings = autoscaler.settingsOf(row);
  const view = autoscaler.viewFor(settings.enabled);
  return {
    ...settings,
    version: row.version,
    updatedAt: row.updatedAt.toISOString(),
    updatedById: row.updatedBy ?? '',
    largestMaximum: maxSize,
    view: view && {
      state: view.state,
      reason: view.reason,
      backlogHands: Math.round(view.backlogHands),
      handsPerSecond: view.rate,
      desiredSize: view.desired,
      lookedAt: new Date(view.atMs).toISOString(),
    },
  };
}

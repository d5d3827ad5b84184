import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type HistogramMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';

export interface CountedHistogramSettings {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  /** Upper bounds of the buckets, ascending; one more bucket has no bound. */
  readonly bounds: readonly number[];
}

/** A histogram of values that were counted elsewhere. OpenTelemetry's own histogram accepts only one value at a time. */
export interface CountedHistogram {
  /** Adds the counts of each bucket, and the sum of the values. Throws RangeError for another number of buckets. */
  add(counts: readonly number[], sum: number, attributes: Attributes): void;
}

interface Series {
  readonly attributes: Attributes;
  readonly counts: number[];
  sum: number;
}

const startTime: HrTime = millisToHrTime(Date.now());
const registered: { readonly settings: CountedHistogramSettings; readonly series: Map<string, Series> }[] = [];

/** Creates a histogram that is exported with the other metrics of the process. */
export function createCountedHistogram(settings: CountedHistogramSettings): CountedHistogram {
  const series = new Map<string, Series>();
  registered.push({ settings, series });
  const buckets = settings.bounds.length + 1;
  return {
    add(counts, sum, attributes) {
      if (counts.length !== buckets)
        throw new RangeError(`${settings.name} has ${buckets} buckets, not ${counts.length}`);
      const key = JSON.stringify(attributes);
      const one = series.get(key) ?? { attributes, counts: new Array<number>(buckets).fill(0), sum: 0 };
      series.set(key, one);
      for (const [bucket, count] of counts.entries()) one.counts[bucket] = (one.counts[bucket] ?? 0) + count;
      one.sum += sum;
    },
  };
}

/** Collects every histogram of `createCountedHistogram` for the readers of metrics. */
export const countedHistograms: MetricProducer = {
  async collect() {
    const endTime = millisToHrTime(Date.now());
    const data = registered.map(({ settings, series }): HistogramMetricData => {
      const { name, description, unit, bounds } = settings;
      return {
        descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
        aggregationTemporality: AggregationTemporality.CUMULATIVE,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: [...series.values()].map((one) => pointOf(one, bounds, endTime)),
      };
    });
    const metrics = data.filter(({ dataPoints }) => dataPoints.length > 0);
    const scopeMetrics = [{ scope: { name: 'husky.counted' }, metrics }];
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors: [] };
  },
};

function pointOf(
  { attributes, counts, sum }: Series,
  bounds: readonly number[],
  endTime: HrTime,
): DataPoint<Histogram> {
  const count = counts.reduce((total, one) => total + one, 0);
  const value = { buckets: { boundaries: [...bounds], counts: [...counts] }, count, sum };
  return { startTime, endTime, attributes, value };
}

import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import {
  AggregationTemporality,
  InstrumentType,
  type MetricReader,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';

/**
 * Makes a reader omit the series of observable gauges that their callbacks did not observe. With cumulative temporality the SDK repeats
 * their last values without end, for example of a database that is away.
 */
function omitUnobserved<T extends Pick<MetricReader, 'selectAggregationTemporality'>>(reader: T): T {
  const select = reader.selectAggregationTemporality.bind(reader);
  reader.selectAggregationTemporality = (instrument) =>
    instrument === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : select(instrument);
  return reader;
}

/** Creates the reader of `/metrics`, without a server of its own. */
export const createPullReader = (options: ConstructorParameters<typeof PrometheusExporter>[0]): PrometheusExporter =>
  omitUnobserved(new PrometheusExporter({ ...options, preventServerStart: true }));

/** Creates the reader that sends metrics each minute. */
export const createPushReader = (
  options: ConstructorParameters<typeof PeriodicExportingMetricReader>[0],
): PeriodicExportingMetricReader => omitUnobserved(new PeriodicExportingMetricReader(options));

// Spans of OpenTelemetry as exporters write them: OTLP/JSON, or one object per span as console and file exporters print them.

import { isObject } from '../../../json/is-object.ts';
import { isCount } from '../../../model/spending.ts';
import type { Fields } from '../session-file.ts';
import { fieldsOf, listOf, textOf } from './fields.ts';

type SpanEvent = { name: string; attributes: Fields };

export type Span = {
  traceId: string;
  id: string;
  parentId: string | undefined;
  name: string;
  startMs: number | undefined;
  endMs: number | undefined;
  attributes: Fields;
  events: SpanEvent[];
  /** The message of a span that failed. */
  error: string | undefined;
  /** Attributes of the service. */
  resource: Fields;
};

/** True for an export, or for a span by itself. */
export function hasSpans(value: Fields): boolean {
  return listsOf(value) !== undefined || isSpan(value);
}

/** The spans in a value; undefined if it is neither an export nor a span. */
export function spansIn(value: Fields): Span[] | undefined {
  const exported = listsOf(value);
  if (exported === undefined)
    return isSpan(value) ? [readSpan(value, fieldsOf(value['resource']))] : undefined;
  return exported.flatMap((one) => {
    const resource = fieldsOf(one['resource']);
    const scopes = listOf(one['scopeSpans'] ?? one['scope_spans'] ?? one['instrumentationLibrarySpans']);
    return scopes.flatMap(({ spans }) => listOf(spans).map((span) => readSpan(span, resource)));
  });
}

function listsOf(value: Fields): Fields[] | undefined {
  const list = value['resourceSpans'] ?? value['resource_spans'];
  return Array.isArray(list) ? list.filter(isObject) : undefined;
}

function isSpan(value: Fields): boolean {
  return (
    textOf(value['name']) !== undefined && traceIdOf(value) !== undefined && spanIdOf(value) !== undefined
  );
}

/** The Python exporter has ids in a `context`, the one of JavaScript in `spanContext`. */
function contextOf(span: Fields): Fields {
  const { context, spanContext } = span;
  return isObject(context) ? context : fieldsOf(spanContext);
}

function traceIdOf(span: Fields): string | undefined {
  const context = contextOf(span);
  const id = span['traceId'] ?? span['trace_id'] ?? context['trace_id'] ?? context['traceId'];
  return hex(id);
}

function spanIdOf(span: Fields): string | undefined {
  const context = contextOf(span);
  const id = span['spanId'] ?? span['span_id'] ?? context['span_id'] ?? context['spanId'] ?? span['id'];
  return hex(id);
}

function hex(id: unknown): string | undefined {
  return textOf(id)?.replace(/^0x/, '').toLowerCase();
}

function readSpan(span: Fields, resource: Fields): Span {
  const { startMs, endMs } = timesOf(span);
  const status = fieldsOf(span['status']);
  const hasFailed = [2, 'STATUS_CODE_ERROR', 'ERROR'].includes(
    (status['code'] ?? status['status_code']) as number,
  );
  const attributes = attributesOf(span['attributes']);
  const message = textOf(status['message'] ?? status['description']) ?? textOf(attributes['error.type']);
  const parent = span['parentSpanId'] ?? span['parent_span_id'] ?? span['parent_id'] ?? span['parentId'];
  return {
    traceId: traceIdOf(span) ?? '',
    id: spanIdOf(span) ?? '',
    parentId: hex(parent ?? fieldsOf(span['parentSpanContext'])['spanId']),
    name: textOf(span['name']) ?? '',
    startMs,
    endMs,
    attributes,
    events: listOf(span['events']).map((event) => ({
      name: textOf(event['name']) ?? '',
      attributes: attributesOf(event['attributes']),
    })),
    error: hasFailed ? (message ?? 'the span failed') : undefined,
    resource: attributesOf(resource['attributes'] ?? resource),
  };
}

/** Nanoseconds in OTLP, ISO 8601 in Python, microseconds or `[seconds, nanoseconds]` in JavaScript. */
function timesOf(span: Fields): { startMs: number | undefined; endMs: number | undefined } {
  const nanos = (value: unknown): number | undefined => {
    const text = typeof value === 'number' ? String(value) : textOf(value);
    return text !== undefined && /^\d+$/.test(text) && text !== '0'
      ? Number(BigInt(text) / 1000n) / 1000
      : undefined;
  };
  const startMs =
    nanos(span['startTimeUnixNano'] ?? span['start_time_unix_nano']) ??
    moment(span['start_time'] ?? span['startTime']);
  const endMs =
    nanos(span['endTimeUnixNano'] ?? span['end_time_unix_nano']) ??
    moment(span['end_time'] ?? span['endTime']);
  const { timestamp, duration } = span;
  if (startMs !== undefined || !isCount(timestamp)) return { startMs, endMs };
  return { startMs: timestamp / 1000, endMs: isCount(duration) ? (timestamp + duration) / 1000 : undefined };
}

function moment(value: unknown): number | undefined {
  if (Array.isArray(value) && isCount(value[0]) && isCount(value[1])) return value[0] * 1000 + value[1] / 1e6;
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** A list of `{key, value}` in OTLP, an object elsewhere. */
function attributesOf(attributes: unknown): Fields {
  if (isObject(attributes)) return attributes;
  return Object.fromEntries(
    listOf(attributes).flatMap(({ key, value }) => (typeof key === 'string' ? [[key, anyValue(value)]] : [])),
  );
}

/** The JSON form of an OTLP value. Integers are texts there. */
function anyValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  if ('stringValue' in value) return value['stringValue'];
  if ('intValue' in value) return Number(value['intValue']);
  if ('doubleValue' in value) return Number(value['doubleValue']);
  if ('boolValue' in value) return value['boolValue'];
  if ('arrayValue' in value) {
    const { values } = fieldsOf(value['arrayValue']);
    return Array.isArray(values) ? values.map(anyValue) : [];
  }
  if ('kvlistValue' in value) return attributesOf(fieldsOf(value['kvlistValue'])['values']);
  return 'bytesValue' in value ? value['bytesValue'] : null;
}

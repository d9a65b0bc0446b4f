import 'server-only'
import { type Attributes, context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import packageJson from '@/package.json'
import { describeError } from '@/server/logger'
import { traceWith } from '@/server/with-span'
import { routeLabel } from './tallies'

type Options = { ratio: number; exporter?: SpanExporter }

/** Ignores traces that clients send along. Answers what flushes and ends it. */
export function startTraces({ ratio, exporter = new OTLPTraceExporter() }: Options): () => Promise<void> {
  const own = resourceFromAttributes({ 'service.name': 'intag', 'service.version': packageJson.version })
  const sampler: Sampler = new TraceIdRatioBasedSampler(ratio)
  const withoutProbes: Sampler = {
    shouldSample: (...given) => {
      const isProbe = PROBE.test(String(given[4]['http.target']))
      return isProbe ? { decision: SamplingDecision.NOT_RECORD } : sampler.shouldSample(...given)
    },
  }
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: withoutProbes }),
    spanProcessors: [withoutPeople(new BatchSpanProcessor({ exporter }))],
  })
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  trace.setGlobalTracerProvider(provider)
  const tracer = provider.getTracer('intag', packageJson.version)
  traceWith((name, attributes, work) =>
    tracer.startActiveSpan(name, { attributes }, async (span) => {
      try {
        return await work()
      } catch (error) {
        const { code, type } = describeError(error)
        span.setAttribute('error.type', String(code ?? type))
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    }),
  )
  return async () => {
    traceWith(null)
    trace.disable()
    context.disable()
    await provider.shutdown()
  }
}

/** They come every few seconds; what a request does below its first span is left out with it. */
const PROBE = /^\/api\/(?:health|metrics)(?![\w-])/

/** The only attributes that leave the process: Next's own hold addresses and search texts, and errors quote them. */
const KEPT: ReadonlySet<string> = new Set([
  'db.collection.name',
  'db.operation.name',
  'db.system.name',
  'error.type',
  'http.method',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'http.status_code',
  'intag.list',
  'next.route',
  'next.rsc',
  'next.span_type',
])

function withoutPeople(next: SpanProcessor): SpanProcessor {
  return {
    onStart: (span, parent) => next.onStart(span, parent),
    onEnd: (span) => next.onEnd(withoutPersonalData(span)),
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown(),
  }
}

function withoutPersonalData(span: ReadableSpan): ReadableSpan {
  const attributes: Attributes = Object.fromEntries(Object.entries(span.attributes).filter(([name]) => KEPT.has(name)))
  const route = String(attributes['next.route'] ?? attributes['http.route'] ?? '')
  return {
    startTime: span.startTime,
    endTime: span.endTime,
    name: span.name.replace(ADDRESS, (address) => patternOf(address, route)),
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext && { parentSpanContext: span.parentSpanContext }),
    status: { code: span.status.code },
    attributes,
    links: [],
    events: [],
    duration: span.duration,
    ended: span.ended,
    resource: span.resource,
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

const ADDRESS = /(?:https?:\/)?\/\S*/g

function patternOf(address: string, route: string): string {
  return address === route ? route : routeLabel(address)
}

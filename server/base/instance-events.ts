import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { z } from 'zod'
import type { Connect } from './database'
import type { Logger } from './logger'
import { tryParseJson } from './parse-input'

export type InstanceEvents = ReturnType<typeof createInstanceEvents>

type EventDependencies = { connect: Connect; logger: Pick<Logger, 'warn'>; monotonic?: () => number }

type Topic<Message> = {
  schema: z.ZodType<Message>
  onMessage: (message: Message) => void
  /** Is called when messages may be lost, so that what they would have invalidated is read again. */
  onGap?: () => void
  /** A lost message counts as no gap, because the next one replaces it. */
  isReplaceable?: boolean
}

const CHANNEL = 'intag'
/** The envelope should not change: an older release treats each message in an unknown envelope as a gap. */
const envelopeSchema = z.object({ from: z.string(), topic: z.string(), message: z.unknown() })

/** Sends messages by LISTEN and NOTIFY. They are numbered, so that a lost one is noticed within two seconds. */
export function createInstanceEvents({ databaseUrl, ...options }: EventDependencies & { databaseUrl: string | null }) {
  const instanceId = randomUUID()
  const topics = new Map<string, { receive: (message: unknown) => void; onGap: () => void }>()
  const announceGap = () => topics.forEach((topic) => topic.onGap())
  const receiveEnvelope = (text: string) => {
    const json = tryParseJson(text)
    // Self-tests of other instances are no JSON and are ignored. An envelope of an unknown form counts as a gap.
    if (json === null) return
    const { data } = envelopeSchema.safeParse(json)
    if (!data) return announceGap()
    if (data.from !== instanceId) topics.get(data.topic)?.receive(data.message)
  }
  // On PGlite there is one instance, which has nobody to send to.
  const dependencies = { ...options, instanceId, receiveEnvelope, announceGap }
  const listener = databaseUrl === null ? null : createListener({ ...dependencies, databaseUrl })
  return {
    /** Whether every message of other instances arrives here; true also when there are no others. */
    isListening: () => listener === null || listener.isReceiving(),
    /** Returns the topic's send function, which resolves to whether the database has accepted the message. */
    registerTopic<Message>(
      name: string,
      { schema, onMessage, onGap: onTopicGap = () => {}, isReplaceable = false }: Topic<Message>,
    ) {
      const receiveMessage = (message: unknown) => {
        const { success, data } = schema.safeParse(message)
        if (success) onMessage(data)
        else onTopicGap()
      }
      topics.set(name, { receive: receiveMessage, onGap: onTopicGap })
      return async (message: Message): Promise<boolean> => {
        if (listener === null) return true
        const envelope: z.input<typeof envelopeSchema> = { from: instanceId, topic: name, message }
        const fullText = JSON.stringify(envelope)
        // PostgreSQL refuses payloads of 8000 bytes. A longer message is sent empty, which receivers treat as a gap.
        const isSmall = Buffer.byteLength(fullText) <= 7_800
        const text = isSmall ? fullText : JSON.stringify({ ...envelope, message: null })
        const eventNumber = isReplaceable ? sql`''` : sql`nextval('event_number')`
        try {
          const db = await options.connect()
          await db.execute(sql`select pg_notify(${CHANNEL}, ${eventNumber} || ' ' || ${text}::text)`)
          return true
        } catch {
          return false
        }
      }
    },
    /** Must be called every second: it reconnects, tests the connection and looks for missing numbers. */
    poll: async (): Promise<void> => listener?.poll().catch(() => {}),
    close: (): void => listener?.close(),
  }
}

/** A self-test that takes longer counts as lost, as behind a pooler that does not pass LISTEN on. */
const SELF_TEST_TIMEOUT_MS = 2_000
const NOT_LISTENING_WARNING =
  'no messages of other instances arrive (does a pooler pool transactions?): the database is asked each second'
const numberSchema = z.object({ rows: z.tuple([z.object({ number: z.coerce.number() })]) })
const newestNumber = sql`(select case when is_called then last_value else 0 end from event_number)`

type ListenerOptions = EventDependencies & {
  databaseUrl: string
  instanceId: string
  receiveEnvelope: (text: string) => void
  announceGap: () => void
}

/** Listens on a connection of its own, because a pool lends each connection to many callers in turn. */
function createListener(options: ListenerOptions) {
  const { databaseUrl, connect, logger, instanceId, monotonic = () => performance.now() } = options
  let client: Client | null = null
  let isReceiving = false
  let hasWarned = false
  let isClosed = false
  let failureCount = 0
  let selfTestedAt = Infinity
  let retryAt = -Infinity
  let newestReceived = 0
  /** The newest number that any instance had issued at the last poll. */
  let newestIssued = 0

  function endConnection(): void {
    const oldClient = client
    client = null
    oldClient?.end().catch(() => {})
  }
  function disconnect(): void {
    endConnection()
    retryAt = monotonic() + Math.min(30_000, 500 * 2 ** failureCount++)
    isReceiving = false
  }
  function handleNotification(payload: string): void {
    const space = payload.indexOf(' ')
    const eventNumber = Number(payload.slice(0, space))
    const text = payload.slice(space + 1)
    newestReceived = Math.max(newestReceived, eventNumber)
    if (text !== instanceId) return options.receiveEnvelope(text)
    isReceiving = true
    failureCount = 0
    newestReceived = eventNumber
    newestIssued = eventNumber
    options.announceGap()
  }
  async function connectAndListen(): Promise<void> {
    const newClient = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000, keepAlive: true })
    newClient.on('error', () => {})
    newClient.on('end', () => client === newClient && disconnect())
    newClient.on('notification', ({ payload = '' }) => client === newClient && handleNotification(payload))
    client = newClient
    selfTestedAt = Infinity
    try {
      await newClient.connect()
      await newClient.query(`listen ${CHANNEL}`)
      // A message to itself, which the pool sends like those of others, proves that messages arrive here.
      await (await connect()).execute(sql`select pg_notify(${CHANNEL}, ${newestNumber} || ' ' || ${instanceId}::text)`)
      // The time of the self-test begins only now, because connecting may take longer.
      selfTestedAt = monotonic()
    } catch {
      if (client === newClient) disconnect()
    }
  }
  async function poll(): Promise<void> {
    if (isClosed) return
    if (client === null && monotonic() >= retryAt) return connectAndListen()
    if (client !== null && !isReceiving && monotonic() - selfTestedAt > SELF_TEST_TIMEOUT_MS) {
      if (!hasWarned) logger.warn(NOT_LISTENING_WARNING)
      hasWarned = true
      disconnect()
    }
    const db = await connect()
    const [{ number }] = numberSchema.parse(await db.execute(sql`select ${newestNumber} as number`)).rows
    // Every number that was issued before the last poll must have arrived by now.
    const hasGap = isReceiving ? newestIssued > newestReceived : number !== newestIssued
    newestIssued = number
    if (!hasGap) return
    if (isReceiving) disconnect()
    options.announceGap()
  }

  return {
    isReceiving: () => isReceiving,
    poll,
    close: (): void => {
      isClosed = true
      endConnection()
    },
  }
}

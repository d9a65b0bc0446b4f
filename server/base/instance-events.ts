import 'server-only'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { z } from 'zod'
import type { Connect } from './database'
import type { Logger } from './logger'
import { parsedJson } from './parsed-json'

export type InstanceEvents = ReturnType<typeof createInstanceEvents>

type Options = {
  /** Null for PGlite, which no other instance can open: nothing is sent or awaited. */
  databaseUrl: string | null
  connect: Connect
  logger: Pick<Logger, 'warn'>
  monotonic?: () => number
}

type Topic<Message> = {
  schema: z.ZodType<Message>
  onMessage: (message: Message) => void
  /** Messages were lost, or may have been until now: what they would have invalidated is to be read again. */
  onGap?: () => void
  /** Their loss is no gap, since the next one replaces them. */
  isReplaceable?: boolean
}

const CHANNEL = 'intag'
/** PostgreSQL refuses 8000 bytes and more. */
const MAX_BYTES = 7_800
const envelopeSchema = z.object({ from: z.string(), topic: z.string(), message: z.unknown() })

/**
 * Messages between instances, with ids alone, by LISTEN and NOTIFY. Each has a number, so that an instance that does not
 * hear them notices within two seconds that some are missing.
 */
export function createInstanceEvents({ databaseUrl, connect, logger, monotonic = () => performance.now() }: Options) {
  const self = randomUUID()
  const topics = new Map<string, { receive: (message: unknown) => void; onGap: () => void }>()
  const listener =
    databaseUrl === null ? null : createListener({ databaseUrl, connect, logger, monotonic, self, receive, onGap })

  function onGap(): void {
    for (const topic of topics.values()) topic.onGap()
  }
  function receive(text: string): void {
    const { data } = envelopeSchema.safeParse(parsedJson(text))
    if (data && data.from !== self) topics.get(data.topic)?.receive(data.message)
  }

  return {
    /** Whether every message of other instances arrives here now; true when there can be none. */
    isListening: () => listener === null || listener.isHearing(),
    /** Answers how to send; that resolves to whether the database has passed the message on. */
    topic<Message>(
      name: string,
      { schema, onMessage, onGap: missed = () => {}, isReplaceable = false }: Topic<Message>,
    ) {
      const receiveOne = (message: unknown) => {
        const { success, data } = schema.safeParse(message)
        if (success) onMessage(data)
        else missed()
      }
      topics.set(name, { receive: receiveOne, onGap: missed })
      return async (message: Message): Promise<boolean> => {
        if (listener === null) return true
        const whole = JSON.stringify({ from: self, topic: name, message })
        const isSmall = Buffer.byteLength(whole) <= MAX_BYTES
        // What no topic understands is a gap there.
        const text = isSmall ? whole : JSON.stringify({ from: self, topic: name, message: null })
        const number = isReplaceable ? sql`''` : sql`nextval('event_number')`
        try {
          await (await connect()).execute(sql`select pg_notify(${CHANNEL}, ${number} || ' ' || ${text}::text)`)
          return true
        } catch {
          return false
        }
      }
    },
    /** One round; to be called each second. */
    look: async (): Promise<void> => listener?.look().catch(() => {}),
    close: (): void => listener?.close(),
  }
}

/** Whether messages arrive through whatever stands between; asked for two seconds at most. */
export async function areMessagesHeard(databaseUrl: string, connect: Connect): Promise<boolean> {
  const events = createInstanceEvents({ databaseUrl, connect, logger: { warn: () => {} } })
  try {
    await events.look()
    for (let ms = 0; ms < DEAF_MS && !events.isListening(); ms += POLL_MS) await wait(POLL_MS)
    return events.isListening()
  } finally {
    events.close()
  }
}

const POLL_MS = 20

/** Within this time a message comes back, unless a pooler keeps LISTEN for itself. */
const DEAF_MS = 2_000
const DEAF =
  'no messages of other instances arrive (does a pooler pool transactions?): the database is asked each second'
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 30_000
const numberSchema = z.object({ rows: z.tuple([z.object({ number: z.coerce.number() })]) })
const newestNumber = sql`(select case when is_called then last_value else 0 end from event_number)`

type ListenerOptions = Required<Options> & {
  databaseUrl: string
  self: string
  receive: (text: string) => void
  onGap: () => void
}

/** Has a connection of its own, since a pool lends each to whoever comes next. */
function createListener({ databaseUrl, connect, logger, self, receive, onGap, monotonic }: ListenerOptions) {
  let client: Client | null = null
  let isHearing = false
  let isWarned = false
  let failures = 0
  let openedAt = 0
  let retryAt = -Infinity
  /** The newest number that was heard, and the newest that the database had given out when it was last asked. */
  let heard = 0
  let given = 0

  function close(): void {
    const closing = client
    client = null
    closing?.end().catch(() => {})
  }
  function lose(): void {
    close()
    retryAt = monotonic() + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++)
    isHearing = false
  }
  function hear(payload: string): void {
    const space = payload.indexOf(' ')
    const number = Number(payload.slice(0, space))
    const text = payload.slice(space + 1)
    heard = Math.max(heard, number)
    if (text !== self) return receive(text)
    isHearing = true
    failures = 0
    heard = number
    given = number
    onGap()
  }
  async function listen(): Promise<void> {
    const opening = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000, keepAlive: true })
    opening.on('error', () => {})
    opening.on('end', () => client === opening && lose())
    opening.on('notification', ({ payload = '' }) => client === opening && hear(payload))
    client = opening
    openedAt = monotonic()
    try {
      await opening.connect()
      await opening.query(`listen ${CHANNEL}`)
    } catch {
      if (client === opening) lose()
      return
    }
    // The first message is to itself, and through the pool, as those of other instances come.
    await (await connect()).execute(sql`select pg_notify(${CHANNEL}, ${newestNumber} || ' ' || ${self}::text)`)
  }
  async function look(): Promise<void> {
    if (client === null && monotonic() >= retryAt) return listen()
    if (client !== null && !isHearing && monotonic() - openedAt > DEAF_MS) {
      if (!isWarned) logger.warn(DEAF)
      isWarned = true
      lose()
    }
    const db = await connect()
    const [{ number }] = numberSchema.parse(await db.execute(sql`select ${newestNumber} as number`)).rows
    // What was given out at the last look must have been heard by now.
    const isMissed = isHearing ? given > heard : number !== given
    given = number
    if (!isMissed) return
    if (isHearing) lose()
    onGap()
  }

  return { isHearing: () => isHearing, look, close }
}

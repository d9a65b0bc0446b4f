import 'server-only'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import type { Connect, Db } from '@/server/base/database'
import { causesOf, codeOf } from '@/server/base/errors'
import type { InstanceEvents } from '@/server/base/instance-events'
import { parsedJson } from '@/server/base/parsed-json'
import { feedLeader, sharedListParts as parts, sharedLists as lists } from '@/server/base/sharing-schema'
import { createByteSeal, createSeal, type DataKeys } from '@/server/base/seal'
import { sharedStateSchema } from './list-state'

export type SharedLists = {
  /** Takes or renews the lease. `token` is null while another instance has it, for `freeInMs` unless renewed. */
  lead(): Promise<{ token: number; freeInMs: 0 } | { token: null; freeInMs: number }>
  token(): number | null
  /** Null after a while without publication; the body only when of a later version. */
  read(list: FeedList, version: number): Promise<Publication | null>
  /** `kept`: the stored body belongs to this state; `none`: it does not. Refused unless the token's lease holds. */
  publish(
    list: FeedList,
    token: number,
    publication: Pick<Publication, 'state' | 'validators'>,
    body: Uint8Array | 'kept' | 'none',
  ): Promise<'published' | 'without body' | 'refused'>
  announceWatched(): void
  /** After another instance has published, and when that may have been missed. Calls can get lost. */
  subscribe(listener: Listener): void
  /** How soon to look again in spite of that. */
  lookAgainMs(): number
  close(): Promise<void>
}

type Listener = { published: (list: FeedList) => void; watched: () => void }

const LOOK_AGAIN_MS = 5_000

export const singleInstanceLists: SharedLists = {
  lead: async () => ({ token: 1, freeInMs: 0 }),
  token: () => 1,
  read: async () => null,
  publish: async () => 'published',
  announceWatched: () => {},
  subscribe: () => {},
  lookAgainMs: () => LOOK_AGAIN_MS,
  close: async () => {},
}

/** `sentAt`: by the publisher's clock. */
const publishedSchema = z.object({
  id: z.string(),
  sentAt: z.number(),
  validators: z.object({
    etag: z.string().exactOptional(),
    lastModified: z.string().exactOptional(),
    wholeAt: z.number().exactOptional(),
  }),
  state: sharedStateSchema,
})
type Published = z.infer<typeof publishedSchema>
export type Publication = Omit<Published, 'sentAt'> & { body: Uint8Array | null }

/** Clocks that agree this well are one, so that all instances say the same moments. */
const SAME_CLOCK_MS = 250

/** By the reader's clock, which is so much ahead of the publisher's: those of instances may be minutes apart. */
export function inLocalTime({ id, ...published }: Published, aheadMs: number): Omit<Publication, 'body'> {
  if (Math.abs(aheadMs) < SAME_CLOCK_MS) return { id, state: published.state, validators: published.validators }
  const { fetchedAt, nextAt, problem } = published.state
  const { wholeAt } = published.validators
  const state = {
    ...published.state,
    fetchedAt: fetchedAt && fetchedAt + aheadMs,
    nextAt: nextAt && nextAt + aheadMs,
    problem: problem && { ...problem, since: problem.since + aheadMs },
  }
  const validators = { ...published.validators, ...(wholeAt !== undefined && { wholeAt: wholeAt + aheadMs }) }
  return { id, state, validators }
}

/** Null for what another release wrote and this one does not understand. */
export function parsePublished(text: string): Published | null {
  return publishedSchema.safeParse(parsedJson(text)).data ?? null
}

/** The message is safe to log. */
export class ShareUnavailableError extends Error {
  override readonly name = 'ShareUnavailableError'
}

type Options = {
  connect: Connect
  events: Pick<InstanceEvents, 'topic' | 'isListening'>
  dataKeys: DataKeys
  now: () => number
  leaseMs: number
}

/** Each good answer renews what is stored. */
export const TTL_MS = 15 * 60_000
const TTL = sql`${sql.raw(String(TTL_MS))} * interval '1 millisecond'`
const CLOCK = sql`clock_timestamp()`
const PART_BYTES = 2 ** 19
/** While messages do not arrive the database is asked, which is as good as a message within a second. */
const LOOK_AGAIN_DEAF_MS = 1_000

/** In the database. Bodies are packed off the event loop and sealed in parts; what has another key counts as absent. */
export function createDatabaseLists(options: Options): SharedLists {
  const { events, dataKeys, now } = options
  const instance = randomUUID()
  const connect = () => options.connect().catch(unavailable)
  const lease = createLease({ ...options, connect, instance })
  const states = createSeal(dataKeys, 'states of shared lists')
  const bodies = createByteSeal(dataKeys, 'bodies of shared lists')
  let listener: Listener = { published: () => {}, watched: () => {} }
  const announce = events.topic('lists', {
    schema: z.enum([...FEED_LISTS, 'watched']),
    onMessage: (name) => (name === 'watched' ? listener.watched() : listener.published(name)),
    onGap: () => FEED_LISTS.forEach((list) => listener.published(list)),
    isReplaceable: true,
  })

  return {
    ...lease,
    async read(list, version) {
      const rows = await rowsOf(await connect(), list, version).catch(unavailable)
      const [row] = rows
      const text = row ? states.decrypt(row.state, list) : null
      const published = text === null ? null : parsePublished(text)
      if (!row || published === null) return null
      const aheadMs = now() - row.now - (published.sentAt - row.publishedAt)
      const packed = rows.flatMap(({ body, bytes }, part) => {
        return (bytes && bodies.decrypt(bytes, partPlace(list, body, part, rows.length))) ?? []
      })
      const isWhole = packed.length === rows.length
      return { ...inLocalTime(published, aheadMs), body: isWhole ? await unpack(Buffer.concat(packed)) : null }
    },
    async publish(list, token, publication, body) {
      const db = await connect()
      const id = randomUUID()
      if (typeof body !== 'string') await writeParts(db, bodies, { list, id }, await pack(body)).catch(unavailable)
      const published = { ...publication, id, sentAt: now() } satisfies Published
      const row = { list, sealedState: states.encrypt(JSON.stringify(published), list), ...publication }
      const stored = body === 'kept' ? body : { id: body === 'none' ? null : id }
      const answer = await write(db, { instance, token }, row, stored).catch(unavailable)
      if (answer !== 'refused') void announce(list)
      return answer
    },
    announceWatched: () => void announce('watched'),
    subscribe: (given) => void (listener = given),
    lookAgainMs: () => (events.isListening() ? LOOK_AGAIN_MS : LOOK_AGAIN_DEAF_MS),
  }
}

const NAME = 'lists'
const rowsSchema = <T extends z.ZodType>(row: T) => z.object({ rows: z.array(row) })
const leaseSchema = rowsSchema(z.object({ token: z.coerce.number().nullable(), free: z.coerce.number() }))

/** Renewed while the process lives. */
function createLease({ connect, leaseMs, instance }: Pick<Options, 'connect' | 'leaseMs'> & { instance: string }) {
  let token: number | null = null
  let renewal: NodeJS.Timeout | undefined
  const until = sql`${CLOCK} + ${leaseMs}::int * interval '1 millisecond'`

  async function lead() {
    const db = await connect()
    const taking = sql`
      with taken as (
        insert into ${feedLeader} as held (name, instance, token, until)
        values (${NAME}, ${instance}, (extract(epoch from ${CLOCK}) * 1000)::bigint, ${until})
        on conflict (name) do update set instance = excluded.instance, until = excluded.until,
          token = case when held.until > ${CLOCK} then held.token else greatest(held.token + 1, excluded.token) end
        where held.instance = excluded.instance or held.until <= ${CLOCK}
        returning token
      )
      select (select token from taken), coalesce(
        (select extract(epoch from until - ${CLOCK}) * 1000 from ${feedLeader} where name = ${NAME}), 0) as free`
    const [row] = leaseSchema.parse(await db.execute(taking).catch(unavailable)).rows
    token = row?.token ?? null
    clearInterval(renewal)
    if (token === null) return { token, freeInMs: Math.max(0, Math.ceil(row?.free ?? leaseMs)) }
    renewal = setInterval(() => void lead().catch(() => {}), leaseMs / 3).unref()
    return { token, freeInMs: 0 as const }
  }

  return {
    lead,
    token: () => token,
    async close() {
      clearInterval(renewal)
      if (token === null) return
      token = null
      const isOurs = eq(feedLeader.instance, instance)
      await connect()
        .then((db) => db.update(feedLeader).set({ until: CLOCK }).where(isOurs))
        .catch(() => {})
    },
  }
}

const milliseconds = (moment: SQL) => sql<number>`extract(epoch from ${moment}) * 1000`.mapWith(Number)

/** One statement, so that state and body belong together. */
function rowsOf(db: Db, list: FeedList, version: number) {
  const columns = {
    state: lists.sealedState,
    body: lists.body,
    publishedAt: milliseconds(sql`${lists.publishedAt}`),
    now: milliseconds(CLOCK),
    bytes: parts.sealedBytes,
  }
  const isOfBody = and(eq(parts.body, lists.body), gt(lists.version, version))
  const isGood = and(eq(lists.list, list), gt(lists.expiresAt, CLOCK))
  return db.select(columns).from(lists).leftJoin(parts, isOfBody).where(isGood).orderBy(parts.part)
}

type Row = Pick<Publication, 'state'> & { list: FeedList; sealedState: string }
const writtenSchema = rowsSchema(z.object({ body: z.string().nullable() }))

/** The row of the leader is locked while the list is written: who leads next waits, and who led before is refused. */
async function write(
  db: Db,
  { instance, token }: { instance: string; token: number },
  { list, sealedState, state }: Row,
  stored: 'kept' | { id: string | null },
) {
  const isKept = stored === 'kept'
  const id = isKept ? null : stored.id
  const isExpired = sql`stored.expires_at <= ${CLOCK}`
  const writing = sql`
    with leader as (
      select 1 from ${feedLeader}
      where name = ${NAME} and instance = ${instance} and token = ${token} and until > ${CLOCK} for share
    )
    insert into ${lists} as stored (list, version, sealed_state, body, published_at, expires_at)
    select ${list}, ${state.version}::bigint, ${sealedState}, ${id}::text, ${CLOCK}, ${CLOCK} + ${TTL} from leader
    on conflict (list) do update set version = excluded.version, sealed_state = excluded.sealed_state,
      published_at = excluded.published_at,
      body = case when not ${isKept}::boolean then excluded.body when not ${isExpired} then stored.body end,
      expires_at = case when ${state.problem === null}::boolean or ${isExpired} then excluded.expires_at
        else stored.expires_at end
    returning body`
  const [row] = writtenSchema.parse(await db.execute(writing)).rows
  const isOfList = eq(parts.list, list)
  if (!row) await db.delete(parts).where(and(isOfList, eq(parts.body, id ?? '')))
  else if (!isKept || row.body === null) await db.delete(parts).where(and(isOfList, ne(parts.body, row.body ?? '')))
  if (!row) return 'refused'
  return row.body === null ? 'without body' : 'published'
}

/** They count once a row names them. */
async function writeParts(
  db: Db,
  bodies: ReturnType<typeof createByteSeal>,
  { list, id }: { list: FeedList; id: string },
  packed: Buffer,
): Promise<void> {
  const count = Math.ceil(packed.length / PART_BYTES)
  for (let part = 0; part < count; part += 1) {
    const bytes = packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
    const sealedBytes = bodies.encrypt(bytes, partPlace(list, id, part, count))
    await db.insert(parts).values({ list, body: id, part, sealedBytes })
  }
}

const partPlace = (list: FeedList, body: string | null, part: number, count: number) =>
  `${list} ${body} ${part} of ${count}`

const MAX_BYTES = 256 * 2 ** 20
const CHUNK_BYTES = 2 ** 18
const gzipped = promisify(gzip)
const gunzipped = promisify(gunzip)

function pack(body: Uint8Array): Promise<Buffer> {
  return gzipped(body, { level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES })
}

/** Null for what cannot be unpacked: it will be fetched again. */
function unpack(packed: Buffer): Promise<Buffer | null> {
  return gunzipped(packed, { chunkSize: CHUNK_BYTES, maxOutputLength: MAX_BYTES }).catch(() => null)
}

function unavailable(cause: unknown): never {
  const code = causesOf(cause)
    .map(codeOf)
    .find((one) => /^\w{1,20}$/.test(one))
  throw new ShareUnavailableError(code ?? 'no answer', { cause })
}

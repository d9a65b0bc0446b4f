import 'server-only'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gunzip, gzip } from 'node:zlib'
import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import type { Connect, Db } from '@/server/base/database'
import { listCauses, codeOf } from '@/server/base/errors'
import type { InstanceEvents } from '@/server/base/instance-events'
import { tryParseJson } from '@/server/base/parse-input'
import { feedLeader, sharedListParts as parts, sharedLists as lists } from '@/server/base/sharing-schema'
import { createByteSeal, createSeal, type DataKeys } from '@/server/base/seal'
import { sharedStateSchema } from './list-state'

export type SharedLists = ReturnType<typeof createDatabaseLists>

type Listener = { onPublished: (list: FeedList) => void; onWatched: () => void }

const POLL_INTERVAL_MS = 5_000

export const singleInstanceLists: SharedLists = {
  acquireLease: async () => ({ fencingToken: 1, freeInMs: 0 }),
  fencingToken: () => 1,
  read: async () => null,
  publish: async () => 'published',
  announceWatched: () => {},
  subscribe: () => {},
  pollIntervalMs: () => POLL_INTERVAL_MS,
  close: async () => {},
}

/** `sentAt`: by the publisher's clock. */
const storedPublicationSchema = z.object({
  id: z.string(),
  sentAt: z.number(),
  validators: z.object({
    etag: z.string().exactOptional(),
    lastModified: z.string().exactOptional(),
    wholeAt: z.number().exactOptional(),
  }),
  state: sharedStateSchema,
})
type StoredPublication = z.infer<typeof storedPublicationSchema>
export type Publication = Omit<StoredPublication, 'sentAt'> & { body: Uint8Array | null }

/** Clocks that agree this well are one, so that all instances say the same moments. */
const SAME_CLOCK_MS = 250

/** By the reader's clock, which is so much ahead of the publisher's: those of instances may be minutes apart. */
export function toLocalTime({ id, state, validators }: StoredPublication, aheadMs: number): Omit<Publication, 'body'> {
  const ms = Math.abs(aheadMs) < SAME_CLOCK_MS ? 0 : aheadMs
  const { fetchedAt, nextAt, problem } = state
  const { wholeAt } = validators
  return {
    id,
    state: {
      ...state,
      fetchedAt: fetchedAt && fetchedAt + ms,
      nextAt: nextAt && nextAt + ms,
      problem: problem && { ...problem, since: problem.since + ms },
    },
    validators: { ...validators, ...(wholeAt !== undefined && { wholeAt: wholeAt + ms }) },
  }
}

/** Null for what another release wrote and this one does not understand. */
export function parsePublished(text: string): StoredPublication | null {
  return storedPublicationSchema.safeParse(tryParseJson(text)).data ?? null
}

/** The message is safe to log. */
export class ShareUnavailableError extends Error {}

type Options = {
  connect: Connect
  events: Pick<InstanceEvents, 'topic' | 'isListening'>
  dataKeys: DataKeys
  now: () => number
  leaseMs: number
}

/** Each good answer renews what is stored. */
export const PUBLISHED_TTL_MS = 15 * 60_000
const CLOCK = sql`clock_timestamp()`
const PART_BYTES = 2 ** 19
const MAX_BYTES = 256 * 2 ** 20
const CHUNK_BYTES = 2 ** 18
/** While messages do not arrive the database is asked, which is as good as a message within a second. */
const FALLBACK_POLL_MS = 1_000

/**
 * In the database. Bodies are packed off the event loop and sealed in parts: to seal, send or open four megabytes as one
 * value would keep it from other work two to four times as long. What has another key counts as absent.
 */
export function createDatabaseLists(options: Options) {
  const { events, dataKeys, now } = options
  const instance = randomUUID()
  const connect = () => options.connect().catch(throwUnavailable)
  const lease = createLease({ ...options, connect, instance })
  const stateSeal = createSeal(dataKeys, 'states of shared lists')
  const bodySeal = createByteSeal(dataKeys, 'bodies of shared lists')
  let listener: Listener = { onPublished: () => {}, onWatched: () => {} }
  const announce = events.registerTopic('lists', {
    schema: z.enum([...FEED_LISTS, 'watched']),
    onMessage: (name) => (name === 'watched' ? listener.onWatched() : listener.onPublished(name)),
    onGap: () => FEED_LISTS.forEach((list) => listener.onPublished(list)),
    isReplaceable: true,
  })
  const toPartContext = (list: FeedList, body: string | null, part: number, count: number) =>
    `${list} ${body} ${part} of ${count}`

  return {
    ...lease,
    /** Null after a while without publication; the body only when of a later version. */
    async read(list: FeedList, version: number): Promise<Publication | null> {
      const milliseconds = (moment: SQL) => sql<number>`extract(epoch from ${moment}) * 1000`.mapWith(Number)
      const columns = {
        state: lists.sealedState,
        body: lists.body,
        publishedAt: milliseconds(sql`${lists.publishedAt}`),
        now: milliseconds(CLOCK),
        bytes: parts.sealedBytes,
      }
      const isOfBody = and(eq(parts.body, lists.body), gt(lists.version, version))
      const isGood = and(eq(lists.list, list), gt(lists.expiresAt, CLOCK))
      const db = await connect()
      // One statement, so that state and body belong together.
      const selecting = db.select(columns).from(lists).leftJoin(parts, isOfBody).where(isGood).orderBy(parts.part)
      const rows = await selecting.catch(throwUnavailable)
      const [row] = rows
      const text = row ? stateSeal.decrypt(row.state, list) : null
      const published = text === null ? null : parsePublished(text)
      if (!row || published === null) return null
      const aheadMs = now() - row.now - (published.sentAt - row.publishedAt)
      const packed = rows.flatMap(({ body, bytes }, part) => {
        return (bytes && bodySeal.decrypt(bytes, toPartContext(list, body, part, rows.length))) ?? []
      })
      // What is missing or cannot be unpacked will be fetched again.
      const limits = { chunkSize: CHUNK_BYTES, maxOutputLength: MAX_BYTES }
      const isWhole = packed.length === rows.length
      const body = isWhole ? await promisify(gunzip)(Buffer.concat(packed), limits).catch(() => null) : null
      return { ...toLocalTime(published, aheadMs), body }
    },
    /** Without a body that of the same version stays. Refused unless the token's lease holds. */
    async publish(
      list: FeedList,
      fencingToken: number,
      publication: Pick<Publication, 'state' | 'validators'>,
      body: Uint8Array | null,
    ): Promise<'published' | 'without body' | 'refused'> {
      const db = await connect()
      const id = randomUUID()
      if (body !== null) {
        const packed = await promisify(gzip)(body, { level: constants.Z_BEST_SPEED, chunkSize: CHUNK_BYTES })
        const count = Math.ceil(packed.length / PART_BYTES)
        // The parts count once a row names them.
        for (let part = 0; part < count; part += 1) {
          const bytes = packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
          const sealedBytes = bodySeal.encrypt(bytes, toPartContext(list, id, part, count))
          await db.insert(parts).values({ list, body: id, part, sealedBytes }).catch(throwUnavailable)
        }
      }
      const { state } = publication
      const published = { ...publication, id, sentAt: now() } satisfies StoredPublication
      const sealedState = stateSeal.encrypt(JSON.stringify(published), list)
      const row = { instance, token: fencingToken, list, state, sealedState, body: body && id }
      const answer = await writeIfLeading(db, row).catch(throwUnavailable)
      if (answer !== 'refused') void announce(list)
      return answer
    },
    announceWatched: (): void => void announce('watched'),
    /** After another instance has published, and when that may have been missed. Calls can get lost. */
    subscribe: (next: Listener): void => void (listener = next),
    /** How soon to look again in spite of that. */
    pollIntervalMs: (): number => (events.isListening() ? POLL_INTERVAL_MS : FALLBACK_POLL_MS),
  }
}

const NAME = 'lists'
const rowsSchema = <T extends z.ZodType>(row: T) => z.object({ rows: z.array(row) })
const leaseSchema = rowsSchema(z.object({ token: z.coerce.number().nullable(), free: z.coerce.number() }))

/** Renewed while the process lives. */
function createLease({ connect, leaseMs, instance }: Pick<Options, 'connect' | 'leaseMs'> & { instance: string }) {
  let fencingToken: number | null = null
  let renewal: NodeJS.Timeout | undefined
  const until = sql`${CLOCK} + ${leaseMs}::int * interval '1 millisecond'`

  /** Takes or renews the lease. `token` is null while another instance has it, for `freeInMs` unless renewed. */
  async function acquireLease(): Promise<{ fencingToken: number; freeInMs: 0 } | { fencingToken: null; freeInMs: number }> {
    const db = await connect()
    const taking = sql`
      with taken as (
        insert into ${feedLeader} as lease (name, instance, token, until)
        values (${NAME}, ${instance}, (extract(epoch from ${CLOCK}) * 1000)::bigint, ${until})
        on conflict (name) do update set instance = excluded.instance, until = excluded.until,
          token = case when lease.until > ${CLOCK} then lease.token else greatest(lease.token + 1, excluded.token) end
        where lease.instance = excluded.instance or lease.until <= ${CLOCK}
        returning token
      )
      select (select token from taken), coalesce(
        (select extract(epoch from until - ${CLOCK}) * 1000 from ${feedLeader} where name = ${NAME}), 0) as free`
    const [row] = leaseSchema.parse(await db.execute(taking).catch(throwUnavailable)).rows
    fencingToken = row?.token ?? null
    clearInterval(renewal)
    if (fencingToken === null) return { fencingToken: fencingToken, freeInMs: Math.max(0, Math.ceil(row?.free ?? leaseMs)) }
    renewal = setInterval(() => void acquireLease().catch(() => {}), leaseMs / 3).unref()
    return { fencingToken: fencingToken, freeInMs: 0 }
  }

  return {
    acquireLease: acquireLease,
    fencingToken: (): number | null => fencingToken,
    async close(): Promise<void> {
      clearInterval(renewal)
      if (fencingToken === null) return
      fencingToken = null
      const isOurs = eq(feedLeader.instance, instance)
      await connect()
        .then((db) => db.update(feedLeader).set({ until: CLOCK }).where(isOurs))
        .catch(() => {})
    },
  }
}

const writtenSchema = rowsSchema(z.object({ body: z.string().nullable() }))

type PublishedRow = {
  instance: string
  fencingToken: number
  list: FeedList
  state: Publication['state']
  sealedState: string
  body: string | null
}

/**
 * The row of the leader is locked while the list is written: who leads next waits, and who led before is refused. One
 * statement, so that an instance that is stopped meanwhile holds no lock.
 */
async function writeIfLeading(db: Db, { instance, fencingToken: fencingToken, list, state, sealedState, body }: PublishedRow) {
  const isExpired = sql`stored.expires_at <= ${CLOCK}`
  const writing = sql`
    with leader as (
      select 1 from ${feedLeader}
      where name = ${NAME} and instance = ${instance} and token = ${fencingToken} and until > ${CLOCK} for share
    )
    insert into ${lists} as stored (list, version, sealed_state, body, published_at, expires_at)
    select ${list}, ${state.version}::bigint, ${sealedState}, ${body}::text, ${CLOCK},
      ${CLOCK} + ${PUBLISHED_TTL_MS}::int * interval '1 millisecond'
    from leader
    on conflict (list) do update set version = excluded.version, sealed_state = excluded.sealed_state,
      published_at = excluded.published_at, body = coalesce(excluded.body,
        case when stored.version = excluded.version and not ${isExpired} then stored.body end),
      expires_at = case when ${state.problem === null}::boolean or ${isExpired} then excluded.expires_at
        else stored.expires_at end
    returning body`
  const [row] = writtenSchema.parse(await db.execute(writing)).rows
  const isOfOther = row ? ne(parts.body, row.body ?? '') : eq(parts.body, body ?? '')
  if (!row || body !== null || row.body === null) await db.delete(parts).where(and(eq(parts.list, list), isOfOther))
  if (!row) return 'refused'
  return row.body === null ? 'without body' : 'published'
}

function throwUnavailable(cause: unknown): never {
  const code = listCauses(cause)
    .map(codeOf)
    .find((one) => /^\w{1,20}$/.test(one))
  throw new ShareUnavailableError(code ?? 'no answer', { cause })
}

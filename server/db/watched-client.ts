import 'server-only'
import { Client } from 'pg'
import { traced } from '@/server/traced'

export type OnQueryFailed = (error: unknown) => void
type Done = (error: unknown, result: unknown) => void

/** A connection to PostgreSQL that reports failed queries and traces all of them. */
export function watchedClient(onFailed: OnQueryFailed): typeof Client {
  class WatchedClient extends Client {}
  const plain = Client.prototype.query as (this: Client, ...given: unknown[]) => unknown
  // The pool passes a callback, a transaction expects a promise; `pg` decides by the last argument.
  const watched = function (this: Client, ...given: unknown[]): unknown {
    const last = given.at(-1)
    const ask = (done: Done) => plain.call(this, ...(typeof last === 'function' ? given.slice(0, -1) : given), done)
    if (isSubmittable(given[0])) return plain.apply(this, given)
    const [attributes, work] = [() => attributesOf(given[0]), () => settled(ask, onFailed)]
    const answer = traced('query', attributes, work)
    if (typeof last !== 'function') return answer
    answer.then(
      (result) => last(null, result),
      (error: unknown) => last(error),
    )
    return undefined
  }
  Object.assign(WatchedClient.prototype, { query: watched })
  return WatchedClient
}

function settled(ask: (done: Done) => unknown, onFailed: OnQueryFailed): Promise<unknown> {
  return new Promise((resolve, reject) => {
    ask((error, result) => {
      if (!error) return resolve(result)
      onFailed(error)
      reject(error)
    })
  })
}

function isSubmittable(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'submit' in query
}

const TABLE = /\b(?:from|into|update)\s+(?:"public"\.)?"?([a-z_]+)"?/i

/** The first word and the first table; never the text or its parameters. */
function attributesOf(query: unknown): Record<string, string> {
  const text = typeof query === 'string' ? query : String((query as { text?: unknown }).text ?? '')
  const [, table] = TABLE.exec(text) ?? []
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'OTHER'
  return {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table !== undefined && { 'db.collection.name': table }),
  }
}

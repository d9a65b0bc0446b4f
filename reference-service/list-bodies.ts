import { type Body, createBody, jsonBytes } from './answers'
import type { ServiceData } from './store'
import { listWithin, type PermittedScope } from './tokens'

/**
 * Writes every list once per state of the data and per scope, since at 75 000 leads an answer is tens of megabytes; and
 * when leads have come in at its head, writes only those anew.
 */
export function createListBodies() {
  const newest = new Map<string, Written>()

  return (data: ServiceData, list: keyof ServiceData, scope: PermittedScope): Body => {
    const key = JSON.stringify([list, scope])
    const last = newest.get(key)
    if (last?.source === data[list]) return last.body
    const items = listWithin(data, list, scope)
    const body = createBody(
      last && continues(items, last.items) ? prepended(list, items, last) : jsonBytes({ [list]: items }),
    )
    newest.set(key, { source: data[list], items, body })
    return body
  }
}

type Written = { source: readonly object[]; items: readonly object[]; body: Body }

/** Whether the list is the older one, if anything with new items before it. */
function continues(items: readonly object[], older: readonly object[]): boolean {
  const added = items.length - older.length
  return older.length > 0 && added >= 0 && older.every((item, index) => item === items[index + added])
}

function prepended(list: keyof ServiceData, items: readonly object[], older: Written): Uint8Array<ArrayBuffer> {
  const added = items.slice(0, items.length - older.items.length)
  if (added.length === 0) return older.body.bytes
  const head = `{"${list}":[`
  const written = `${head}${added.map((item) => JSON.stringify(item)).join(',')},`
  return Buffer.concat([Buffer.from(written), older.body.bytes.subarray(head.length)])
}

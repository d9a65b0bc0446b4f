import 'server-only'
import { isFields } from './reading'

/** One of the service's records that is set aside: which one of the list, its id if it has one, and why. */
export type UnreadableRecord = { index: number; id: string | null; reason: string }

/** Of a record whose id is there already, with other content. */
export const REPEATED_ID = 'id: duplicate'

const LONGEST_ID = 500

/** The id of a record that cannot be read, where that much can be. */
export function idOfUnreadable(json: unknown): string | null {
  const id = isFields(json) ? json.id : null
  return typeof id === 'string' && id !== '' && id.length <= LONGEST_ID ? id : null
}

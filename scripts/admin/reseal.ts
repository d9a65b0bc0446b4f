import { type Resealing, reseal } from '@/server/db/reseal'
import { renewedScope } from '@/server/export/export-log'
import { type AdminCommand, argumentsOf, withServices } from './command'

/** After `DATA_KEY` was changed: seals with it everything that the one before has sealed. */
export const resealCommand: AdminCommand = {
  usage: 'reseal',
  says: 'seals with DATA_KEY what DATA_KEY_PREVIOUS has sealed; on PostgreSQL Intag may go on meanwhile',
  run: async (args) => {
    argumentsOf(args, 0, {})
    return withServices(async ({ connect, dataKeys, seal, scopes, keptKeys, activity }) => {
      // Before anything else: later nobody could tell which key it was made with.
      for (const purpose of ['card ids', 'activity seals']) await keptKeys.get(purpose)
      const done = await reseal({
        connect,
        dataKeys,
        seal,
        alongside: { 'exports.sealed_reason': (db, id, reason) => renewedScope(db, scopes, { id, reason }) },
      })
      const resealed = totalOf(done)
      const details = { setting: 'data-key', resealed, unopened: done.unopened.length, console: true }
      if (resealed > 0) await activity.record({ userId: null, action: 'settings-changed', details })
      return report(done, dataKeys.previous !== null)
    })
  },
}

const MOST_NAMED = 50

/** Ids and counts, never a text. */
export function report(done: Resealing, hasPrevious: boolean): string {
  const { counts, unopened, isLeftBehind } = done
  const lines = counts.map(({ column, resealed }) => `${String(resealed).padStart(8)}  ${column}`)
  if (unopened.length > 0) {
    const cannot = hasPrevious ? 'neither DATA_KEY nor DATA_KEY_PREVIOUS opens' : 'DATA_KEY does not open'
    const more = unopened.length > MOST_NAMED ? [`  and ${unopened.length - MOST_NAMED} more`] : []
    lines.push(`${unopened.length} that ${cannot}; they stay as they are:`)
    lines.push(...unopened.slice(0, MOST_NAMED).map((name) => `  ${name}`), ...more)
  }
  return [...lines, advice({ isLeftBehind, hasPrevious, total: totalOf(done) })].join('\n')
}

function totalOf({ counts }: Resealing): number {
  return counts.reduce((sum, { resealed }) => sum + resealed, 0)
}

function advice({ isLeftBehind, hasPrevious, total }: { isLeftBehind: boolean; hasPrevious: boolean; total: number }) {
  if (isLeftBehind)
    return 'Texts under another key keep coming: give every instance the new DATA_KEY, then run this again.'
  if (!hasPrevious) return 'Everything that can be opened is sealed with DATA_KEY.'
  return total > 0
    ? 'Done. When every instance runs with the new DATA_KEY, run this once more.'
    : 'Nothing needs DATA_KEY_PREVIOUS any more: remove it when every instance runs with the new DATA_KEY. Links to contacts from before it was changed then lead nowhere.'
}

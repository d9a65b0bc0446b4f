import 'server-only'
import { randomBytes } from 'node:crypto'
import { count, sql } from 'drizzle-orm'
import type { Db } from '@/server/db/database'
import { type Resealing, reseal } from '@/server/db/reseal'
import { sealedColumns } from '@/server/db/sealed-columns'
import { renewedScope } from '@/server/export/export-log'
import { keyId, sealPrefix } from '@/server/seal'
import { type Services, services } from '@/server/services'
import { acceptDataKey } from '@/server/settings/database-identity'
import { type AdminCommand, argumentsOf, UsageError, withServices } from './command'

export const rotateKeys: AdminCommand = {
  usage: 'rotate-keys [--finish]',
  says: 'changes DATA_KEY step by step: makes a new key, says what to set, and with --finish seals everything with it',
  more: [
    'Without DATA_KEY_PREVIOUS it prints a new key, which is stored nowhere, and what to do with it. With it, it says how much',
    'is still sealed with the old key, and --finish reseals that (as reseal does).',
  ].join('\n'),
  run: async (args) => {
    const { finish } = argumentsOf(args, 0, { finish: { type: 'boolean' } }).values
    const { dataKeys, env } = services()
    if (dataKeys.previous === null) {
      if (finish === true) throw new Error('DATA_KEY_PREVIOUS is not set: there is nothing to finish.')
      if (env.mode === 'demo') throw new Error('The demo makes its key itself.')
      return plan(env)
    }
    return finish === true ? resealCommand.run([]) : withServices(async ({ connect }) => howFar(await connect()))
  },
}

function plan({ dataKey, redisUrl }: Services['env']) {
  const [made, now] = [randomBytes(32), Buffer.from(dataKey)]
  const id = (key: Uint8Array) => keyId(key).toString('base64url')
  const old = `the key that is set now (id ${id(now)})`
  const first =
    redisUrl === null
      ? []
      : [
          'With several instances first start every one of them with the new key as the one before, so that each can read what',
          'the others write meanwhile:',
          `  DATA_KEY=${old}`,
          `  DATA_KEY_PREVIOUS=${made.toString('base64')}`,
          'and when all of them run so, every one of them with:',
        ]
  return [
    `A new key, id ${id(made)}. It is stored nowhere: put it where your secrets are, now, and keep the old one.`,
    'Make a backup first (backup FILE).',
    ...first,
    `  DATA_KEY=${made.toString('base64')}`,
    `  DATA_KEY_PREVIOUS=${old}`,
    'When every instance runs with these, run rotate-keys --finish; Intag goes on meanwhile.',
    'rotate-keys then says when DATA_KEY_PREVIOUS can go. Backups from before open with the old key alone: keep it as long as them.',
  ].join('\n')
}

async function howFar(db: Db): Promise<string> {
  const { dataKeys } = services()
  const prefix = sealPrefix(dataKeys.current)
  const left: string[] = []
  for (const { name, table, sealed } of sealedColumns) {
    const [found] = await db
      .select({ n: count() })
      .from(table)
      .where(sql`${sealed} is not null and not starts_with(${sealed}, ${prefix})`)
    if (found && found.n > 0) left.push(`${String(found.n).padStart(8)}  ${name}`)
  }
  if (left.length > 0) return [...left, 'are not sealed with DATA_KEY yet: run rotate-keys --finish.'].join('\n')
  return [
    'Everything is sealed with DATA_KEY. When every instance runs with it, remove DATA_KEY_PREVIOUS.',
    'Links to contacts from before the change then lead nowhere. Keep the old key for the backups that were made with it.',
  ].join('\n')
}

export const resealCommand: AdminCommand = {
  usage: 'reseal',
  says: 'seals with DATA_KEY what DATA_KEY_PREVIOUS has sealed; Intag may go on meanwhile',
  run: async (args) => {
    argumentsOf(args, 0, {})
    return withServices(async ({ connect, dataKeys, seal, scopes, keptKeys, activity }) => {
      // First: after resealing, the key they were made with is unknown.
      for (const purpose of ['card ids', 'activity seals']) await keptKeys.get(purpose)
      const renewed = (db: Db, id: string, reason: string) => renewedScope(db, scopes, { id, reason })
      const done = await reseal({ connect, dataKeys, seal, alongside: { 'exports.sealed_reason': renewed } })
      const resealed = totalOf(done)
      const details = { setting: 'data-key', resealed, unopened: done.unopened.length, console: true }
      if (resealed > 0) await activity.record({ userId: null, action: 'settings-changed', details })
      return report(done, dataKeys.previous !== null)
    })
  },
}

const MAX_NAMED = 50

export function report(done: Resealing, hasPrevious: boolean): string {
  const { counts, unopened, isLeftBehind } = done
  const lines = counts.map(({ column, resealed }) => `${String(resealed).padStart(8)}  ${column}`)
  if (unopened.length > 0) {
    const cannot = hasPrevious ? 'neither DATA_KEY nor DATA_KEY_PREVIOUS opens' : 'DATA_KEY does not open'
    const more = unopened.length > MAX_NAMED ? [`  and ${unopened.length - MAX_NAMED} more`] : []
    lines.push(`${unopened.length} that ${cannot}; they stay as they are:`)
    lines.push(...unopened.slice(0, MAX_NAMED).map((name) => `  ${name}`), ...more)
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

export const acceptKey: AdminCommand = {
  usage: 'accept-key --lost',
  says: 'takes DATA_KEY as the key of this database; what a lost key has sealed stays shut',
  isAlone: true,
  run: async (args) => {
    const { lost } = argumentsOf(args, 0, { lost: { type: 'boolean' } }).values
    if (lost !== true)
      throw new UsageError(
        'Notes, saved views, second factors and protected identities that the key of before has sealed cannot be opened again. If that key is lost for good: accept-key --lost',
      )
    return withServices(
      async (parts) => {
        await acceptDataKey(parts)
        const details = { setting: 'data-key', accepted: true }
        await parts.activity.record({ userId: null, action: 'settings-changed', details })
        return 'DATA_KEY is the key of this database now. Intag starts with it; reseal names what it cannot open.'
      },
      { isKeyLost: true },
    )
  },
}

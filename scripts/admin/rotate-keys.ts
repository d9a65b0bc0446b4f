import { randomBytes } from 'node:crypto'
import { count, sql } from 'drizzle-orm'
import { sealedColumns } from '@/server/db/sealed-columns'
import type { Db } from '@/server/db/database'
import { keyId, sealPrefix } from '@/server/seal'
import { services } from '@/server/services'
import { type AdminCommand, argumentsOf, withServices } from './command'
import { resealCommand } from './reseal'

/** The change of `DATA_KEY` from its first step to its last: says each time which one is next. */
export const rotateKeys: AdminCommand = {
  usage: 'rotate-keys [--finish]',
  says: 'changes DATA_KEY step by step: makes a new key, says what to set, and with --finish seals everything with it',
  more: [
    'Without DATA_KEY_PREVIOUS it prints a new key, which is stored nowhere, and what to do with it. With it, it says how much',
    'is still sealed with the old key, and --finish seals that anew (as reseal does).',
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

function plan({
  dataKey,
  redisUrl,
  databaseUrl,
}: {
  dataKey: Uint8Array
  redisUrl: string | null
  databaseUrl: string | null
}) {
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
    databaseUrl === null
      ? 'Stop Intag, set both, run rotate-keys --finish, and start it again.'
      : 'When every instance runs with these, run rotate-keys --finish; Intag goes on meanwhile.',
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

import pino from 'pino'
import { type LogFinding, verifyLog } from '@/server/activity/verify-log'
import { openDatabase } from '@/server/db/database'
import { env } from '@/server/env'
import { createSeal } from '@/server/seal'
import { claimDatabase } from '@/server/settings/database-mode'
import { createKeptKeys } from '@/server/settings/kept-keys'

/** Checks the chain of the activity log: answers what it holds, throws with everything that does not fit. */
export async function verifyLogCommand(args: readonly string[]): Promise<string> {
  const { head } = argumentsOf(args)
  const settings = env()
  const database = openDatabase(settings, pino({ enabled: false }))
  try {
    const connect = () => database.ready()
    await claimDatabase({ connect, env: settings, now: Date.now })
    const dataKeys = { current: settings.dataKey, previous: settings.previousDataKey }
    const parts = {
      connect,
      keptKeys: createKeptKeys({ connect, dataKeys, seal: createSeal(dataKeys), now: Date.now }),
      now: Date.now,
      retentionMonths: settings.retentionMonths,
    }
    const { findings, seals, entries, head: newest } = await verifyLog(parts, head)
    const counted = `${entries} entries in ${seals} seals; the newest hash is ${newest ?? 'none yet'}`
    if (findings.length === 0) return `The activity log is as it was written: ${counted}.`
    throw new Error([`The activity log does not fit its seals (${counted}):`, ...findings.map(inWords)].join('\n'))
  } finally {
    await database.close()
  }
}

function argumentsOf(args: readonly string[]): { head: string | undefined } {
  const [flag, head, ...more] = args
  if (flag === undefined) return { head: undefined }
  if (flag !== '--head' || head === undefined || more.length > 0) throw new Error('verify-log [--head HASH]')
  return { head }
}

const WORDS: Readonly<Record<LogFinding['what'], string>> = {
  'seal-missing': 'seals are missing',
  'seal-changed': 'the seal itself was changed, or the one before it, or DATA_KEY is another',
  'entries-changed': 'entries were changed',
  'entries-removed': 'entries were removed',
  'entries-added': 'entries were added',
  'entries-late': 'entries are dated more than an hour before others that were sealed earlier',
  'expired-too-early': 'entries were removed as too old before they were (or RETENTION_MONTHS was changed)',
  unsealed: 'entries older than a minute are not sealed',
  'without-seal': 'entries name a seal that is not there',
  'head-missing': 'no seal has this hash: the end of the log was cut off',
}

function inWords({ what, seal, where }: LogFinding): string {
  return `  ${seal === null ? '' : `seal ${seal}, `}${where}: ${WORDS[what]}`
}

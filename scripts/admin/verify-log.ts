import { type LogFinding, verifyLog } from '@/server/activity/verify-log'
import { type AdminCommand, argumentsOf, withServices } from './command'

/** Checks the chain of the activity log: answers what it holds, throws with everything that does not fit. */
export const verifyLogCommand: AdminCommand = {
  usage: 'verify-log [--head HASH]',
  says: 'checks the activity log against its chain of seals',
  more: 'HASH is one that the process log has told: with it the end of the log cannot have been cut off unseen.',
  run: async (args) => {
    const { head } = argumentsOf(args, 0, { head: { type: 'string' } }).values
    return withServices(async ({ connect, keptKeys, now, env: { retentionMonths } }) => {
      const found = await verifyLog({ connect, keptKeys, now, retentionMonths }, head)
      const { findings, seals, entries, head: newest } = found
      const counted = `${entries} entries in ${seals} seals; the newest hash is ${newest ?? 'none yet'}`
      if (findings.length === 0) return `The activity log is as it was written: ${counted}.`
      throw new Error([`The activity log does not fit its seals (${counted}):`, ...findings.map(inWords)].join('\n'))
    })
  },
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

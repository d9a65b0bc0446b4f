import 'server-only'
import type { OwnLeave } from '@/lib/contract/work-settings'
import { latestReturn } from '@/lib/contract/leave'
import { awayUntil, workSettingsSchema } from '@/lib/contract/work-settings'
import { stockholmDay } from '@/lib/time/stockholm'
import { command } from '@/server/access/command'
import type { Allowed } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/errors'
import type { Announcer } from '@/server/events/announcer'
import { type ChangeParts, readSetting, writeSetting } from './settings'
import { lockSettings, type Work } from './work'

const LEAVE = 'work.leave'

/** One's own leave now; one that is over is none. */
export async function getOwnLeave(
  { work, now }: { work: Pick<Work, 'settings'>; now: () => number },
  viewer: Allowed<'leads:triage'>,
): Promise<OwnLeave> {
  const { leave } = await work.settings()
  return { until: awayUntil(leave, viewer.id, stockholmDay(now())) }
}

/** Sets or ends one's own leave, and nobody else's; the log says that, and not until when. InvalidInputError for longer than a year. */
export async function setOwnLeave(
  parts: ChangeParts & { work: Pick<Work, 'settings'>; announcer: Pick<Announcer, 'work'> },
  viewer: Allowed<'leads:triage'>,
  { until }: OwnLeave,
): Promise<OwnLeave> {
  if (until !== null && until > latestReturn(stockholmDay(parts.now()))) throw new InvalidInputError('until')
  await command(parts, viewer, 'leads:triage', async (tx, log) => {
    await lockSettings(tx)
    const stored = workSettingsSchema.shape.leave.safeParse(await readSetting(tx, LEAVE))
    const { [viewer.id]: _, ...others } = stored.success ? stored.data : {}
    const leave = until === null ? others : { ...others, [viewer.id]: until }
    await writeSetting(tx, LEAVE, leave, parts.now())
    await log({ action: 'settings-changed', details: { setting: LEAVE } })
  })
  await parts.announcer.work()
  return getOwnLeave(parts, viewer)
}

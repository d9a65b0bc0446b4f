import 'server-only'
import { type AdmissionCycle, admissionCycleSchema, defaultAdmissionCycle } from '@/lib/contract/admission-cycle'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'

const NAME = 'admission-cycle'

/** The dates as an administrator set them, else the usual ones. */
export async function getAdmissionCycle(viewer: Viewer): Promise<AdmissionCycle> {
  requirePermission(viewer, 'interest:read')
  return readAdmissionCycle()
}

/** For verbs that have checked who asks. */
export async function readAdmissionCycle(): Promise<AdmissionCycle> {
  const stored = admissionCycleSchema.safeParse(await services().settings.read(NAME))
  return stored.success ? stored.data : defaultAdmissionCycle
}

/** Sets the dates for everyone. */
export async function changeAdmissionCycle(viewer: Viewer, cycle: AdmissionCycle): Promise<AdmissionCycle> {
  requirePermission(viewer, 'admin')
  const { settings, activity } = services()
  await settings.write(NAME, cycle)
  await activity.record({ userId: viewer.id, action: 'settings-changed', details: { setting: NAME, ...cycle } })
  return cycle
}

import { z } from 'zod'

/** A day of the year, `MM-dd`, in Europe/Stockholm. */
const dayOfYear = z.string().regex(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/)

/** The dates of the Swedish admission to high schools; `GET`/`PUT /api/admission-cycle`, the latter for administrators. */
export const admissionCycleSchema = z.strictObject({
  applicationOpens: dayOfYear,
  /** Day 0 of the cycle. */
  applicationCloses: dayOfYear,
  preliminary: dayOfYear,
  changePeriodEnds: dayOfYear,
  final: dayOfYear,
  /** Reserves are admitted until then; after it the next cohort is the default. */
  reservesEnd: dayOfYear,
})
export type AdmissionCycle = z.infer<typeof admissionCycleSchema>

export const defaultAdmissionCycle: AdmissionCycle = {
  applicationOpens: '01-15',
  applicationCloses: '02-15',
  preliminary: '04-15',
  changePeriodEnds: '05-15',
  final: '07-01',
  reservesEnd: '09-15',
}

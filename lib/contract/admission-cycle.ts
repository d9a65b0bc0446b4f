import { z } from 'zod'
import { firstOutOfOrder, isDayOfEveryYear } from '@/lib/interest/cycle-days'
import type { Declared } from './endpoint'

/** A day that every year has, `MM-dd`, in Europe/Stockholm. */
const dayOfYear = z.string().max(5).refine(isDayOfEveryYear)

/** The dates of the Swedish admission to high schools. */
export const admissionCycleSchema = z
  .strictObject({
    applicationOpens: dayOfYear,
    /** Day 0 of the cycle. */
    applicationCloses: dayOfYear,
    preliminary: dayOfYear,
    changePeriodEnds: dayOfYear,
    final: dayOfYear,
    /** Reserves are admitted until then; after it the next cohort is the default. */
    reservesEnd: dayOfYear,
  })
  .superRefine((cycle, context) => {
    const late = firstOutOfOrder(cycle)
    if (late) context.addIssue({ code: 'custom', path: [late], message: 'must be later than the date before it' })
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

export const cycleEndpoints = {
  'GET /api/admission-cycle': {
    what: 'The dates of the admission to high schools.',
    who: 'interest:read',
    answer: admissionCycleSchema,
  },
  'PUT /api/admission-cycle': {
    what: 'Sets these dates for everybody.',
    who: 'admin',
    body: admissionCycleSchema,
    answer: admissionCycleSchema,
  },
} satisfies Declared

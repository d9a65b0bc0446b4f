import { useLocale, useTranslations } from 'next-intl'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { cycleDate } from '@/lib/interest/cohort'
import { dayAndMonth } from '@/lib/interest/day-words'

type CycleKeyProps = { cycle: AdmissionCycle; cohort: number; withLetters: boolean }

/** The dates of the chosen cohort's admission, in words. */
export function CycleKey({ cycle, cohort, withLetters }: CycleKeyProps) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const day = (date: string) => dayAndMonth(cycleDate(cohort, date), locale)
  const span = (from: string, to: string) => t('span', { from: day(from), to: day(to) })
  const steps = [
    { letter: 'A', name: t('step.application'), when: span(cycle.applicationOpens, cycle.applicationCloses) },
    { letter: null, name: t('step.preliminary'), when: day(cycle.preliminary) },
    { letter: 'B', name: t('step.changes'), when: span(cycle.preliminary, cycle.changePeriodEnds) },
    { letter: 'C', name: t('step.final'), when: day(cycle.final) },
    { letter: null, name: t('step.reserves'), when: day(cycle.reservesEnd) },
  ]
  return (
    <ul aria-label={t('calendar')} className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-2xs text-mute">
      {steps.map(({ letter, name, when }) => (
        <li key={name} suppressHydrationWarning>
          {withLetters && letter !== null && <b className="mr-1 font-semibold text-ink">{letter}</b>}
          {name} <span className="tabular text-faint">{when}</span>
        </li>
      ))}
    </ul>
  )
}

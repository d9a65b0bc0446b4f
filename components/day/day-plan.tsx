import { useLocale, useTranslations } from 'next-intl'
import { useToday } from '@/components/app/clock'
import { DeskLink } from '@/components/app/navigate'
import { useSchoolNames } from '@/components/app/schools'
import { useFirstOf } from '@/components/app/first-of-queue'
import { QueuesNav } from '@/components/app/queues-nav'
import { buttonClass } from '@/components/ui/button-class'
import { Kbd } from '@/components/ui/kbd'
import type { Day, OldestLate } from '@/lib/contract/day'
import { mentionHref, type nextQueue, queueHref } from '@/lib/inbox/queues'
import { fullDay } from '@/lib/time/format-date'
import { daysSince, stockholmEpochDay } from '@/lib/time/stockholm'

/** Beyond so many days, the date is easier to grasp. */
const FEW_DAYS = 60
const lineClass = 'inline-flex min-h-6 items-center underline decoration-line underline-offset-3 touch:min-h-11'

type DayPlanProps = { first: NonNullable<ReturnType<typeof nextQueue>>; day: Day; schools: readonly string[] }

/** Where to begin, and what the menu does not say. The queues' own numbers stand in the menu, or here where it is away. */
export function DayPlan({ first, day, schools }: DayPlanProps) {
  const t = useTranslations('day')
  const { href, who } = useFirstOf(first, schools, day)
  const locale = useLocale()
  const { byId } = useSchoolNames()
  const today = useToday()
  const oldestText = ({ list, name, school, waitingSince }: OldestLate) => {
    const what = list === 'asked-questions' ? 'oldestQuestion' : 'oldestDeclaration'
    const from = [name, t(what, { school: byId(school) })].filter(Boolean).join(', ')
    const days = daysSince(waitingSince, today)
    if (days <= FEW_DAYS) return t('oldest', { days, who: from })
    return t('oldestSince', { day: fullDay(stockholmEpochDay(Date.parse(waitingSince)), locale), who: from })
  }
  const lines = [
    { name: 'dueToday', href: queueHref('dueToday', schools) },
    { name: 'mentions', href: mentionHref(day) ?? '' },
    { name: 'snoozed', href: queueHref('snoozed', schools) },
  ] as const
  const some = lines.filter(({ name }) => day[name] > 0)
  return (
    <div className="rounded-lg border border-line bg-panel shadow-card">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 px-5 py-4.5">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="text-lg font-semibold">{t('plan.first', { queue: t(`finished.these.${first}`) })}</h2>
          <p className="min-h-6 text-sm text-pretty wrap-anywhere text-mute">
            {who !== null && <span>{t('finished.first', { who })} </span>}
            <span>{t('plan.then')}</span>
          </p>
        </div>
        <DeskLink href={href} data-day-line="begin" className={buttonClass({ variant: 'primary', size: 'lg' })}>
          {t('plan.begin')}
          <Kbd inverted>↵</Kbd>
        </DeskLink>
      </div>
      <div className="border-t border-line-soft px-2.5 py-2 wide:hidden">
        <QueuesNav />
      </div>
      {/* The lines say only what there is any of and the menu does not say. */}
      {(some.length > 0 || day.oldest !== null) && (
        <ul className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line-soft px-5 py-2 text-sm text-mute">
          {day.oldest !== null && (
            <li className="flex min-h-6 basis-full items-center touch:min-h-11">
              <DeskLink
                href={queueHref('late', schools)}
                data-day-line="oldest"
                className={`${lineClass} wrap-anywhere text-late`}
              >
                {oldestText(day.oldest)}
              </DeskLink>
            </li>
          )}
          {some.map(({ name, href: line }) => (
            <li key={name} className="flex min-h-6 items-center touch:min-h-11">
              <DeskLink href={line} data-day-line={name} className={`${lineClass} hover:text-ink`}>
                {t(`plan.${name}`, { count: day[name] })}
              </DeskLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

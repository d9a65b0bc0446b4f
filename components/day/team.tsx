import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { Avatar } from '@/components/ui/avatar'
import { SectionHeading } from '@/components/ui/headings'
import type { Colleague, Day, WeekFigures } from '@/lib/contract/day'
import { inLargestUnits } from '@/lib/inbox/queues'

const SHOWN = 6

export function Team({ day: { team } }: { day: Day }) {
  const t = useTranslations('day.team')
  const [isAll, setAll] = useState(false)
  const me = useCurrentUser()?.id
  const known = team.filter((person) => person.id === me || person.left > 0 || person.here !== null)
  const shown = isAll ? known : known.slice(0, SHOWN)
  return (
    <section aria-labelledby="day-team">
      <SectionHeading id="day-team" text={t('title')} />
      <ul className="flex flex-col gap-3">
        {shown.map((person) => (
          <Person key={person.id} person={person} isMe={person.id === me} />
        ))}
      </ul>
      {team.length === 1 && <p className="pt-2 text-sm text-mute">{t('alone')}</p>}
      {known.length > shown.length && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="mt-2 rounded-sm py-1 text-sm text-mute underline decoration-line underline-offset-3 hover:text-ink touch:min-h-11"
        >
          {t('more', { count: known.length - shown.length })}
        </button>
      )}
    </section>
  )
}

function Person({ person, isMe }: { person: Colleague; isMe: boolean }) {
  const t = useTranslations('day.team')
  const isHere = person.here !== null
  return (
    <li className="flex items-center gap-2.5 text-sm">
      <span className="relative">
        <Avatar name={person.name} size="md" />
        {isHere && (
          <span
            aria-hidden
            className="absolute -right-0.5 -bottom-0.5 size-2.5 rounded-full border-2 border-bg bg-status-handled"
          />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{isMe ? t('you') : person.name}</span>
        {isHere && <span className="block truncate text-xs text-mute">{t('here')}</span>}
      </span>
      {!isMe && person.left > 0 && (
        <span className="tabular shrink-0 text-xs text-faint">{t('left', { count: person.left })}</span>
      )}
    </li>
  )
}

export function Week({ week: { answered, answeredWithinGoal, medianMinutes } }: { week: WeekFigures }) {
  const t = useTranslations('day.week')
  const format = useFormatter()
  const timeOf = useTimeText()
  const percent = { style: 'percent', maximumFractionDigits: 0 } as const
  const figures = [
    { name: t('answered'), value: String(answered) },
    { name: t('within'), value: answeredWithinGoal !== null && format.number(answeredWithinGoal, percent) },
    { name: t('median'), value: medianMinutes !== null && timeOf(medianMinutes) },
  ]
  return (
    <section aria-labelledby="day-week">
      <SectionHeading id="day-week" text={t('title')} />
      {answered === 0 ? (
        <p className="text-sm text-mute">{t('none')}</p>
      ) : (
        <dl className="flex flex-col gap-2 text-sm">
          {figures
            .filter(({ value }) => value !== false)
            .map(({ name, value }) => (
              <div key={name} className="flex items-baseline justify-between gap-4">
                <dt className="text-mute">{name}</dt>
                <dd className="tabular font-semibold">{value}</dd>
              </div>
            ))}
        </dl>
      )}
    </section>
  )
}

/** `35 min`, `5 tim 40 min`, `3 dagar`. */
function useTimeText(): (minutes: number) => string {
  const t = useTranslations('day.week')
  return (all) => {
    const { days, hours, minutes } = inLargestUnits(all)
    if (days > 0) return t('days', { days })
    if (hours === 0) return t('minutes', { minutes })
    return minutes === 0 ? t('hours', { hours }) : t('hoursMinutes', { hours, minutes })
  }
}

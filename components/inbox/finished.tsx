import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { useCommands } from '@/components/desk/commands'
import { DeskLink, useNavigate } from '@/components/desk/navigate'
import { withMessages } from '@/components/desk/lazy-area'
import { useSchoolFilter, useSchoolNames } from '@/components/desk/schools'
import { useDay } from '@/components/triage/use-day'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Kbd } from '@/components/ui/kbd'
import { isQueue, leadPage, type Place } from '@/lib/api/leads'
import type { Day } from '@/lib/contract/day'
import type { QueueName } from '@/lib/contract/lists'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { toQueueQuery } from '@/lib/inbox/queue-query'
import { nextQueue, queueHref } from '@/lib/inbox/queues'

/** `isWork`: what was there is done, whether or not it is a queue. */
type FinishedProps = { place: Place; isWork: boolean; empty: ReactNode }

/** A list of work with nothing left: leads on to what is next, and says that all is done only when nobody waits. */
export const Finished = withMessages(FinishedQueue, ['day'])

function FinishedQueue({ place, isWork, empty }: FinishedProps) {
  const t = useTranslations('day')
  const [schools] = useSchoolFilter()
  const { data: day } = useDay(schools)
  if (day === undefined) return isWork ? null : empty
  if (day.leads === 0 || !isWork) return empty
  const at = isQueue(place) ? place : null
  const title = t(`finished.title.${at ?? 'none'}`)
  const next = nextQueue(day, at)
  if (next !== null) return <NextStep title={title} next={next} day={day} schools={schools} />
  const later = day.snoozed > 0 && t('finished.later', { count: day.snoozed })
  return (
    <EmptyState icon={<Check />} title={day.waiting === 0 ? t('done.title') : title}>
      {day.waiting === 0 ? t('done.all') : t('finished.rest.waiting', { count: day.waiting })} {later}
    </EmptyState>
  )
}

type NextStepProps = {
  title: string
  next: NonNullable<ReturnType<typeof nextQueue>>
  day: Day
  schools: readonly string[]
}

/** Enter goes on; the focus is there when the last row took it away. */
function NextStep({ title, next, day, schools }: NextStepProps) {
  const t = useTranslations('day.finished')
  const queues = useTranslations('inbox.queues')
  const go = useNavigate()
  const box = useRef<HTMLDivElement>(null)
  const href = queueHref(next, schools)
  useCommands({ open: () => go(href) })
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [])
  const onward = (
    <div ref={box}>
      <DeskLink href={href} className={buttonClass({ variant: 'primary' })}>
        {t('on', { queue: queues(next) })}
        <Kbd>↵</Kbd>
      </DeskLink>
    </div>
  )
  return (
    <EmptyState icon={<Check />} title={title} action={onward}>
      {t(`rest.${next}`, { count: day[next] })} <First queue={next} schools={schools} />
    </EmptyState>
  )
}

/** Who comes first there. */
function First({ queue, schools }: { queue: QueueName; schools: readonly string[] }) {
  const t = useTranslations('day')
  const names = useSchoolNames()
  const query = toQueueQuery(new URLSearchParams(schools.map((id) => ['school', id])))
  const { data } = useQuery(leadPage(queue, query, 0))
  const item = data?.items[0]
  if (item === undefined) return null
  const what = t(isQuestion(item) ? 'oldestQuestion' : 'oldestDeclaration', { school: names.of(item) })
  return t('finished.first', { who: [item.protected ? '' : nameOf(item), what].filter(Boolean).join(', ') })
}

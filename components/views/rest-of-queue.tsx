import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useIsLive } from '@/components/browser/live'
import { DeskLink } from '@/components/desk/go'
import { LazyArea } from '@/components/desk/lazy-area'
import { useSchoolFilter } from '@/components/desk/schools'
import { dayQuery } from '@/lib/api/queries'
import { otherHalves } from '@/lib/inbox/day-lines'
import { useIsHere } from './is-here'

type RestOfQueueProps = { show: string; className: string }

/** A queue is of both lists: on one of them, how much of it the other has, and the way there. */
export function RestOfQueue(props: RestOfQueueProps) {
  return (
    <LazyArea area="day">
      <Halves {...props} />
    </LazyArea>
  )
}

function Halves({ show, className }: RestOfQueueProps) {
  const t = useTranslations('day')
  const [schools] = useSchoolFilter()
  const { data: day } = useQuery(dayQuery(schools, useIsLive()))
  const isHere = useIsHere()
  return (
    day &&
    otherHalves(day, schools, isHere).map(({ list, count, href }) => {
      const said = t('alsoInQueue', { what: t(`in.${list}`, { count }) })
      return (
        <span key={list}>
          {said}{' '}
          <DeskLink href={href} aria-label={`${show}: ${said}`} className={className}>
            {show}
          </DeskLink>
        </span>
      )
    })
  )
}

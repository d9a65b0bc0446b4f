import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  CalendarRange,
  ChartColumn,
  ClipboardList,
  FileDown,
  History,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessageSquareText,
  Users,
} from 'lucide-react'
import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useSchoolFilter, useScreenHref } from '@/components/desk/schools'
import type { Screen } from '@/components/desk/screens'
import { cn } from '@/components/ui/cn'
import { listCounts } from '@/lib/api/list-choices'
import type { LeadList } from '@/lib/contract/lead'
import { LIST_RESTARTED } from '@/lib/inbox/search-text'

type NavLinksProps = { screens: readonly Screen[]; shape: keyof typeof navShapes }

/** Entries of the menu. The chosen schools go along from screen to screen; other filters belong to their list. */
export function NavLinks({ screens, shape }: NavLinksProps) {
  const t = useTranslations('shell')
  const pathname = usePathname()
  const hrefOf = useScreenHref()
  const { link, icon } = navShapes[shape]
  return screens.map((screen) => {
    const { name, short, href } = screen
    const Icon = screenIcons[name]
    const isHere = pathname === href || pathname.startsWith(`${href}/`)
    return (
      <li key={name}>
        <Link
          href={hrefOf(screen)}
          aria-current={isHere ? 'page' : undefined}
          onNavigate={() => {
            if (isHere) window.dispatchEvent(new CustomEvent(LIST_RESTARTED))
          }}
          className={cn(link, navLinkClass)}
        >
          <Icon className={icon} strokeWidth={1.8} aria-hidden="true" />
          <span className="min-w-0 truncate">{t(shape === 'side' ? name : short)}</span>
          {name === 'questions' && <UnhandledCount list="asked-questions" shape={shape} />}
          {name === 'declarations' && <UnhandledCount list="declarations-of-interest" shape={shape} />}
        </Link>
      </li>
    )
  })
}

/** How the menu looks beside the screen, and along the lower edge of a phone. */
export const navShapes = {
  side: {
    list: 'flex flex-col gap-px',
    link: 'flex h-8.5 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium hover:bg-hover aria-[current=page]:bg-accent-soft touch:h-11',
    icon: 'size-4 shrink-0',
  },
  bottom: {
    list: 'grid auto-cols-fr grid-flow-col',
    link: 'relative flex h-14 w-full flex-col items-center justify-center gap-1 text-2xs font-medium',
    icon: 'size-5',
  },
}

export const navLinkClass =
  'text-mute transition-colors duration-100 hover:text-ink aria-[current=page]:text-ink [&[aria-current=page]>svg]:text-accent'

/** The administrators' part of the menu. */
export function AdminGroup({ screens }: { screens: readonly Screen[] }) {
  const t = useTranslations('shell')
  return (
    <section aria-label={t('administration')}>
      <p aria-hidden className="px-2.5 pb-1 text-2xs font-semibold text-faint">
        {t('administration')}
      </p>
      <ul className={navShapes.side.list}>
        <NavLinks screens={screens} shape="side" />
      </ul>
    </section>
  )
}

/** How many leads of a list are new, in the chosen schools. */
function UnhandledCount({ list, shape }: { list: LeadList; shape: 'side' | 'bottom' }) {
  const t = useTranslations('shell')
  const [schools] = useSchoolFilter()
  const { data } = useQuery(listCounts(list, schools.length > 0 ? { school: schools.toSorted() } : {}))
  const count = data?.status['new'] ?? 0
  if (count === 0) return null
  return (
    <span
      className={
        shape === 'side'
          ? 'tabular ml-auto text-xs font-semibold text-ink'
          : 'tabular absolute top-1 left-1/2 ml-1.5 rounded-full bg-accent px-1.5 text-[0.625rem] leading-4 font-semibold text-accent-ink'
      }
    >
      <span aria-hidden>{shape === 'bottom' && count > 999 ? '999+' : t('count', { count })}</span>
      <span className="sr-only">{t('unhandled', { count })}</span>
    </span>
  )
}

const screenIcons: Record<Screen['name'], LucideIcon> = {
  questions: MessageCircleQuestionMark,
  declarations: ClipboardList,
  interest: ChartColumn,
  exports: FileDown,
  users: Users,
  activity: History,
  templates: MessageSquareText,
  cycle: CalendarRange,
  systemStatus: Activity,
}

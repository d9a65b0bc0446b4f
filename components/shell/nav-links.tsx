'use client'

import { Activity, ChartColumn, ClipboardList, type LucideIcon, MessageCircleQuestionMark } from 'lucide-react'
import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { cn } from '@/components/ui/cn'
import { LIST_RESTARTED } from '@/lib/inbox/search-memory'
import type { Screen } from './screens'
import { useSchoolFilter } from './use-school-filter'

const icons: Record<Screen['name'], LucideIcon> = {
  questions: MessageCircleQuestionMark,
  declarations: ClipboardList,
  interest: ChartColumn,
  systemStatus: Activity,
}

const shapes = {
  side: {
    list: 'flex flex-col gap-px',
    link: 'flex h-8.5 items-center gap-2.5 rounded-md px-2.5 font-medium hover:bg-hover aria-[current=page]:bg-accent-soft',
    icon: 'size-4',
  },
  bottom: {
    list: 'grid auto-cols-fr grid-flow-col',
    link: 'flex h-14 flex-col items-center justify-center gap-1 text-2xs font-medium',
    icon: 'size-5',
  },
}

/** The main menu. The chosen schools go along from screen to screen; other filters belong to their list. */
export function NavLinks({ screens, shape }: { screens: readonly Screen[]; shape: keyof typeof shapes }) {
  const t = useTranslations('shell')
  const pathname = usePathname()
  const [schools] = useSchoolFilter()
  const query = schools.length > 0 ? `?${new URLSearchParams(schools.map((id) => ['school', id]))}` : ''
  const { list, link, icon } = shapes[shape]
  return (
    <nav aria-label={t('mainNavigation')}>
      <ul className={list}>
        {screens.map(({ name, short, href }) => {
          const Icon = icons[name]
          const isHere = pathname === href || pathname.startsWith(`${href}/`)
          return (
            <li key={name}>
              <Link
                href={href + query}
                aria-current={isHere ? 'page' : undefined}
                onNavigate={() => {
                  if (isHere) window.dispatchEvent(new Event(LIST_RESTARTED))
                }}
                className={cn(
                  link,
                  'text-mute transition-colors duration-100 hover:text-ink aria-[current=page]:text-ink [&[aria-current=page]>svg]:text-accent',
                )}
              >
                <Icon className={icon} strokeWidth={1.8} aria-hidden="true" />
                {t(shape === 'side' ? name : short)}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

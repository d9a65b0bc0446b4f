'use client'

import { useTranslations } from 'next-intl'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { cn } from '@/components/ui/cn'
import { LIST_RESTARTED } from '@/lib/inbox/search-memory'
import { screenIcons } from './screen-icons'
import type { Screen } from './screens'
import { UnhandledCount } from './unhandled-count'
import { useScreenHref } from './use-screen-href'

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

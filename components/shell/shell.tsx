import {
  Activity,
  ChartColumn,
  ClipboardList,
  FileDown,
  History,
  Inbox,
  ListTodo,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessageSquareText,
  Settings,
  Sun,
  Users,
} from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Screen } from '@/components/app/screens'
import { Badge } from '@/components/ui/badge'
import { Brand, BrandMark } from '@/components/ui/brand'
import type { HighSchool } from '@/lib/contract/lead'
import type { FeedList } from '@/lib/contract/lists'
import { AccountMenu } from './account-menu'
import { DeskBackground, MainContent, PaletteButton, StatusText } from './desk'
import { type MenuScreen, BarMenu, SideMenu } from './main-menu'
import { SchoolPicker } from './school-picker'

type ShellProps = {
  highSchools: readonly HighSchool[]
  screens: readonly Screen[]
  isDemo: boolean
  missingLists: readonly FeedList[]
  children: ReactNode
}

/** Frames the screen: a side bar on wide displays, a top bar and rail on medium, a top and bottom bar on phones. */
export function Shell({ highSchools, screens, isDemo, missingLists, children }: ShellProps) {
  const t = useTranslations('shell')
  // The server draws the icons, so that a browser gets none that its user does not have.
  const menuScreens = screens.map((screen): MenuScreen => {
    const Icon = SCREEN_ICONS[screen.name]
    return { ...screen, icon: <Icon strokeWidth={1.8} /> }
  })
  const schoolPicker = <SchoolPicker highSchools={highSchools} />
  const demoBadge = isDemo && <Badge tone="outline">{t('demoShort')}</Badge>
  return (
    <div className="flex h-dvh flex-col rail:grid rail:grid-cols-[5rem_minmax(0,1fr)] rail:grid-rows-[auto_minmax(0,1fr)] wide:grid-cols-[15.5rem_minmax(0,1fr)] wide:grid-rows-[minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-sm font-medium text-accent-ink focus:translate-y-0"
      >
        {t('skipToContent')}
      </a>
      <aside className="relative hidden min-h-0 flex-col border-r border-line bg-side pt-3 wide:flex">
        <div className="flex items-center justify-between px-2.5 pb-3 pl-4.5">
          <Brand />
          <PaletteButton />
        </div>
        <div className="px-3 pb-3">{schoolPicker}</div>
        <div className="scroll-thin min-h-0 flex-1 overflow-y-auto px-2.5 pb-2">
          <SideMenu screens={menuScreens} />
        </div>
        <div className="border-t border-line px-2.5 pt-2 pb-1.5">
          <div className="flex items-start justify-between gap-2 px-2">
            <StatusLine />
            {demoBadge && <span title={t('demo')}>{demoBadge}</span>}
          </div>
          <AccountMenu variant="row" />
        </div>
      </aside>
      <aside className="order-last border-t border-line bg-side pb-[env(safe-area-inset-bottom)] rail:scroll-thin rail:order-none rail:row-span-2 rail:min-h-0 rail:overflow-y-auto rail:border-t-0 rail:border-r rail:py-2 wide:hidden">
        <div className="border-b border-line-soft px-4 py-1 low:hidden rail:hidden">
          <StatusLine />
        </div>
        <BarMenu screens={menuScreens} />
      </aside>
      <div className="contents low:row-span-2 low:block low:min-h-0 low:flex-1 low:overflow-y-auto">
        <header className="flex items-center gap-2.5 border-b border-line bg-side py-1.5 pr-1.5 pl-3.5 pt-[max(0.375rem,env(safe-area-inset-top))] low:py-0.5 wide:hidden">
          <BrandMark className="size-7 shrink-0 max-[16rem]:hidden" />
          <div className="min-w-0 flex-1 rail:max-w-88">{schoolPicker}</div>
          <div className="hidden min-w-0 flex-1 px-2 rail:block">
            <StatusLine />
          </div>
          <span className="hidden rail:inline">
            <PaletteButton />
          </span>
          {demoBadge && <span className="max-[20rem]:hidden">{demoBadge}</span>}
          <AccountMenu variant="avatar" />
        </header>
        <MainContent>{children}</MainContent>
      </div>
      {isDemo && (
        <p data-prints className="fixed top-0 right-0 hidden text-xs font-semibold print:block">
          {t('demo')}
        </p>
      )}
      <DeskBackground screens={screens} missingLists={missingLists} />
    </div>
  )
}

function StatusLine() {
  const t = useTranslations('status')
  return (
    <section aria-label={t('label')} className="tabular min-h-4.5 min-w-0 text-xs text-mute">
      <StatusText />
    </section>
  )
}

const SCREEN_ICONS: Record<Screen['name'], LucideIcon> = {
  today: Sun,
  queue: Inbox,
  questions: MessageCircleQuestionMark,
  declarations: ClipboardList,
  interest: ChartColumn,
  exports: FileDown,
  administration: Settings,
  users: Users,
  activity: History,
  templates: MessageSquareText,
  work: ListTodo,
  systemStatus: Activity,
}

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
import type { ReactNode } from 'react'
import type { Screen } from '@/components/app/screens'

export type MenuScreen = Screen & { icon: ReactNode }

/** Drawn on the server: a browser gets no icons that its user does not have. */
export function menuScreens(screens: readonly Screen[]): MenuScreen[] {
  return screens.map((screen) => {
    const Icon = icons[screen.name]
    return { ...screen, icon: <Icon strokeWidth={1.8} /> }
  })
}

const icons: Record<Screen['name'], LucideIcon> = {
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

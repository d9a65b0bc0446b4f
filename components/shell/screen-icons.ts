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
import type { Screen } from './screens'

export const screenIcons: Record<Screen['name'], LucideIcon> = {
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

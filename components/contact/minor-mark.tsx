import { useTranslations } from 'next-intl'
import { Badge } from '@/components/ui/badge'
import type { Minor } from '@/lib/leads/minor-by-year'

export function MinorMark({ minor }: { minor: Minor | null }) {
  const t = useTranslations('lead.minor')
  return minor !== null && <Badge tone="warn">{t(minor)}</Badge>
}

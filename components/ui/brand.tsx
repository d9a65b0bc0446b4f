import { useTranslations } from 'next-intl'

export function Brand() {
  const t = useTranslations('common')
  return (
    <span className="flex items-center gap-2.5 text-[0.9375rem] font-semibold tracking-tight">
      <BrandMark />
      {t('appName')}
    </span>
  )
}

export function BrandMark({ className = 'size-[22px]' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      className={className}
      fill="none"
      strokeWidth="2.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect width="32" height="32" rx="8.5" className="fill-accent" />
      <path d="M16 7v10.5m-4.6-4.3 4.6 4.6 4.6-4.6" className="stroke-accent-ink" />
      <path d="M7.5 18.5v3.7a2.8 2.8 0 0 0 2.8 2.8h11.4a2.8 2.8 0 0 0 2.8-2.8v-3.7" className="stroke-accent-ink" />
    </svg>
  )
}

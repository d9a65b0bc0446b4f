import { useTranslations } from 'next-intl'

const SKELETON_COUNT = 12

export function LoadingRows() {
  const t = useTranslations('common')
  return (
    <div className="overflow-hidden">
      <output className="sr-only">{t('loading')}</output>
      {Array.from({ length: SKELETON_COUNT }, (_, index) => (
        <div key={index} className="h-16">
          <SkeletonRow />
        </div>
      ))}
    </div>
  )
}

export function SkeletonRow() {
  return (
    <div aria-hidden className="grid h-full animate-pulse grid-cols-[1rem_1fr] edge content-center gap-x-3 gap-y-2">
      <span className="size-3.25 self-center rounded-full bg-line" />
      <span className="h-3 w-44 rounded-sm bg-line" />
      <span className="col-start-2 h-2.5 w-3/4 rounded-sm bg-line-soft" />
    </div>
  )
}

import { useTranslations } from 'next-intl'

const SKELETON_COUNT = 12
const SKELETON_WIDTHS = ['w-32', 'w-44', 'w-36', 'w-52', 'w-28']

export function LoadingRows() {
  const t = useTranslations('common')
  return (
    <div className="overflow-hidden">
      <output className="sr-only">{t('loading')}</output>
      {Array.from({ length: SKELETON_COUNT }, (_, index) => (
        <div key={index} className="h-16">
          <SkeletonRow index={index} />
        </div>
      ))}
    </div>
  )
}

/** The width varies with `index`, so that a screenful does not look like a grid. */
export function SkeletonRow({ index }: { index: number }) {
  return (
    <div aria-hidden className="grid h-full animate-pulse grid-cols-[1rem_1fr] edge content-center gap-x-3 gap-y-2">
      <span className="size-3.25 self-center rounded-full bg-line" />
      <span className={`h-3 rounded-sm bg-line ${SKELETON_WIDTHS[index % SKELETON_WIDTHS.length]}`} />
      <span className="col-start-2 h-2.5 w-3/4 rounded-sm bg-line-soft" />
    </div>
  )
}

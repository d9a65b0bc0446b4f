import { LoadingPage } from '@/components/ui/loading'

export default function Loading() {
  return (
    <LoadingPage lines={['h-6 w-40', 'h-4 w-72 max-w-full', 'h-32 rounded-lg', 'h-72 rounded-lg', 'h-80 rounded-lg']} />
  )
}

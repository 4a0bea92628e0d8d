// Entry point: shows the run in this file, or the runs of the server.

import './language.ts';
// Must run before anything reads the address.
import './viewer/token.ts';
import './style.css';
import { render } from 'preact';
import { ReportApp } from './report-app.tsx';
import { applyTheme } from './ui/frame.tsx';
import { ViewerApp } from './viewer/viewer-app.tsx';

applyTheme();
const root = document.getElementById('app');
const isViewer = document.documentElement.dataset['mode'] === 'viewer';
if (root !== null) render(isViewer ? <ViewerApp /> : <ReportApp />, root);

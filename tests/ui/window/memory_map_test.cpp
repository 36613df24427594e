// The window's process never loads the CUDA driver or CUPTI: they belong to the worker. Runs with stubs of both on the
// loader's path, so that whoever opens them finds them, GPU or not.
#include "window.h"

#include <dlfcn.h>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

QString mapped() {
    QFile maps("/proc/self/maps");
    return maps.open(QIODevice::ReadOnly) ? QString::fromUtf8(maps.readAll()) : QString();
}

} // namespace

class MemoryMapTest : public QObject {
    Q_OBJECT

    OwnSettings m_settings;

private slots:
    void holdsNeitherDriverNorCupti() {
        {
            Person person;
            person.open("saxpy");
            person.key(Qt::Key_F5, Qt::ControlModifier);
            person.waitForVerdict();
            person.window.actions().machine->trigger();
            QTest::qWait(500);
            const QString maps = mapped();
            QVERIFY(maps.contains("libQt6Widgets"));
            QVERIFY(!maps.contains("libcuda"));
            QVERIFY(!maps.contains("libcupti"));
        }
        // The check can fail: the stubs are where a dlopen finds them.
        QVERIFY2(dlopen("libcuda.so.1", RTLD_NOW), dlerror());
        QVERIFY2(dlopen("libcupti.so", RTLD_NOW), dlerror());
        QVERIFY(mapped().contains("libcuda"));
        QVERIFY(mapped().contains("libcupti"));
    }
};

int main(int count, char** arguments) {
    MemoryMapTest test; // its settings come before the application
    const QApplication application(count, arguments);
    return QTest::qExec(&test, count, arguments);
}
#include "memory_map_test.moc"

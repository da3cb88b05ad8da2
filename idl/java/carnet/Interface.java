package carnet;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Which interface of the interface file it is. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Interface {
    /**
     * The name.
     *
     * @return its name with the module, such as {@code files::Dir}
     */
    String name();

    /**
     * The hash over all operations.
     *
     * @return 64 bits
     */
    long hash();
}
